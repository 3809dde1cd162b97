# A conversion webhook that shares nothing with this repository: Python's own HTTP server over TLS, for Widgets of example.com.
# v1 has spec.bar and spec.legacy, v2 has spec.bars and spec.mode; what the other version lacks waits in an annotation.
# The path says which fault it shall have: /convert has none, /convert/drop loses a field, and so on.
import copy
import json
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STASH = "python.example.com/kept"


def take(meta):
    annotations = meta.get("annotations", {})
    kept = json.loads(annotations.pop(STASH, "{}"))
    if not annotations:
        meta.pop("annotations", None)
    return kept


def put(meta, kept):
    if kept:
        meta.setdefault("annotations", {})[STASH] = json.dumps(kept)


def to_v2(spec, kept, fault):
    bar = spec.pop("bar")
    legacy = spec.pop("legacy", None)
    if fault == "stale" and "head" in kept:
        bar = kept["head"]
    fresh = kept.get("head") == bar
    spec["bars"] = [bar] + (kept["rest"] if fresh else [])
    if "mode" in kept:
        spec["mode"] = kept["mode"]
    return {} if legacy is None else {"legacy": legacy}


def to_v1(spec, kept, fault):
    bar, *rest = spec.pop("bars")
    spec["bar"] = bar
    mode = spec.pop("mode", None)
    if "legacy" in kept:
        spec["legacy"] = kept["legacy"]
    elif fault == "default":
        spec["legacy"] = "none"
    left = {"head": bar, "rest": rest} if rest else {}
    if mode is not None:
        left["mode"] = mode
    return left


def convert(source, desired, fault):
    widget = copy.deepcopy(source)
    if widget["apiVersion"] == desired:
        raise ValueError("it has that version already")
    spec, meta = widget["spec"], widget["metadata"]
    if fault == "drop":
        spec.pop("labels", None)
    kept = take(meta)
    left = to_v2(spec, kept, fault) if desired.endswith("/v2") else to_v1(spec, kept, fault)
    put(meta, left)
    widget["apiVersion"] = desired
    return widget


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body go out as two packets; without this the second waits for the first to be acknowledged.
    disable_nagle_algorithm = True

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = self.path.removeprefix("/convert").strip("/")
        request = review["request"]
        response = {"uid": request["uid"], "convertedObjects": []}
        try:
            objects = [convert(one, request["desiredAPIVersion"], fault) for one in request["objects"]]
            response["convertedObjects"] = objects[::-1] if fault == "order" else objects
            response["result"] = {"status": "Success"}
        except Exception as error:
            response["result"] = {"status": "Failure", "message": str(error)}
        body = json.dumps({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
