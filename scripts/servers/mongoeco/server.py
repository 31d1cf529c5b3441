"""Serves the MongoDB protocol on 127.0.0.1 from mongoeco's engine in memory, at the port of the first argument.

The Node driver is stricter than the clients mongoeco was tried with. Four replies and requests are put right on the wire:
a cursor's id must be a 64-bit integer, and getMore, killCursors and renameCollection arrive in a form that mongoeco does not take.
"""

import asyncio
import signal
import sys

import mongoeco.wire.proxy as wire
from bson.int64 import Int64
from mongoeco.engines.memory import MemoryEngine

encode_reply = wire.encode_op_msg_response
decode_request = wire.decode_op_msg


def plain_integer(value):
    """mongoeco looks cursors up by a plain integer; the driver sends a 64-bit wrapper."""
    return getattr(value, "value", value)


def encode_for_node(reply, **options):
    cursor = reply.get("cursor") if isinstance(reply, dict) else None
    if isinstance(cursor, dict) and isinstance(cursor.get("id"), int):
        cursor["id"] = Int64(cursor["id"])
    return encode_reply(reply, **options)


def decode_from_node(header, payload):
    message = decode_request(header, payload)
    body = message.body
    if "getMore" in body:
        body["getMore"] = plain_integer(body["getMore"])
    if "killCursors" in body:
        body["cursors"] = [plain_integer(cursor) for cursor in body["cursors"]]
    if "renameCollection" in body and body.get("$db") == "admin":
        body["$db"] = body["renameCollection"].split(".", 1)[0]
    return message


async def serve(port):
    async with wire.AsyncMongoEcoProxyServer(engine=MemoryEngine(), port=port, mongodb_dialect="8.0") as server:
        stopped = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stopped.set)
        print("READY", server.address.uri, flush=True)
        await stopped.wait()


wire.encode_op_msg_response = encode_for_node
wire.decode_op_msg = decode_from_node
asyncio.run(serve(int(sys.argv[1])))
