import { MongoClient } from "mongodb";

/** Prints which server answers at the address of the first argument: mongod, mongo-java-server or mongoeco. */
const client = new MongoClient(process.argv[2]!, { serverSelectionTimeoutMS: 5_000 });
const admin = client.db().admin();
const hello = await admin.command({ hello: 1 }).catch(() => undefined);
const { gitVersion } = await admin.command({ buildInfo: 1 });
await client.close();
console.log(!hello ? "mongo-java-server" : gitVersion === "mongoeco" ? gitVersion : "mongod");
