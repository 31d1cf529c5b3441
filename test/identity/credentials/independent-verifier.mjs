// Verifies what stands on its standard input with Digital Bazaar's libraries, which know nothing of this code: the
// credential's data model, its JSON-LD, its proof, the controller of its key, its status list and that list's proof.
// Runs as a process of its own, because these libraries are ESM through and through. Documents come from the input
// alone: nothing is fetched.
import * as vc from "@digitalbazaar/vc";
import { contexts } from "@digitalbazaar/credentials-context";
import { DataIntegrityProof } from "@digitalbazaar/data-integrity";
import * as Ed25519Multikey from "@digitalbazaar/ed25519-multikey";
import { checkStatus } from "@digitalbazaar/vc-bitstring-status-list";
import { canonicalize } from "json-canonicalize";
import jsonld from "jsonld";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { credential, documents, keyId, now } = JSON.parse(text);

const loaded = new Map([...contexts, ...Object.entries(documents)]);
const documentLoader = async (url) => {
  if (!loaded.has(url)) throw new Error(`not given: ${url}`);
  return { contextUrl: null, documentUrl: url, document: loaded.get(url) };
};
const cryptosuite = {
  name: "eddsa-jcs-2022",
  requiredAlgorithm: "Ed25519",
  canonize: async (input) => canonicalize(input),
  createVerifier: async ({ verificationMethod }) => (await Ed25519Multikey.from(verificationMethod)).verifier(),
};
const suite = new DataIntegrityProof({ cryptosuite });
const result = await vc.verifyCredential({
  credential,
  suite,
  documentLoader,
  now: new Date(now),
  checkStatus: (options) => checkStatus({ ...options, suite, documentLoader }),
});
const expanded = await jsonld.expand(credential, { documentLoader, safe: true }).then(
  () => true,
  (error) => error.message,
);
const why = (error) =>
  [error?.message, ...(error?.errors ?? []).map(why), error?.cause && why(error.cause)].filter(Boolean).join("; ");
process.stdout.write(
  JSON.stringify({
    verified: result.verified,
    marked:
      result.statusResult?.results
        ?.filter(({ status }) => status)
        .map(({ credentialStatus }) => credentialStatus.statusPurpose) ?? null,
    expanded,
    key: result.results?.[0]?.proof?.verificationMethod === keyId,
    why: why(result.error) || why(result.statusResult?.error),
  }),
);
