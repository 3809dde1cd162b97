// An HTTPS webhook on loopback whose answers a scenario scripts, for conversion and admission calls.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';

let pki;
/** A throw-away CA and a server certificate for 127.0.0.1 and localhost, made once a run with openssl. */
function certificates() {
  if (pki) return pki;
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-pki-'));
  const at = (f) => path.join(dir, f);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: 'pipe' });
  fs.writeFileSync(at('san'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.crt'),
    '-days',
    '30',
    '-subj',
    '/CN=conformance-ca',
  );
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    at('srv.key'),
    '-out',
    at('srv.csr'),
    '-subj',
    '/CN=localhost',
  );
  openssl(
    'x509',
    '-req',
    '-in',
    at('srv.csr'),
    '-CA',
    at('ca.crt'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-out',
    at('srv.crt'),
    '-days',
    '30',
    '-extfile',
    at('san'),
  );
  pki = {
    ca: fs.readFileSync(at('ca.crt')),
    cert: fs.readFileSync(at('srv.crt')),
    key: fs.readFileSync(at('srv.key')),
  };
  fs.rmSync(dir, { recursive: true });
  return pki;
}

/**
 * answer(review, call) returns the response body (an object), or { status, body } to answer with another HTTP
 * status,
 * or a promise of either. `calls` keeps every review received.
 */
export async function startWebhook(answer) {
  const { ca, cert, key } = certificates();
  const calls = [];
  const server = https.createServer({ cert, key }, async (req, res) => {
    const chunks = [];
    for await (const c of req) chunks.push(c);
    const review = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    calls.push({ url: req.url, review });
    let reply;
    try {
      reply = await answer(review, { url: req.url, n: calls.length });
    } catch (e) {
      reply = { status: 500, body: String(e) };
    }
    const { status = 200, body = reply } = reply?.status && 'body' in reply ? reply : {};
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    res.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' });
    res.end(text);
  });
  await new Promise((r) => server.listen(0, '127.0.0.1', r));
  return {
    calls,
    url: `https://127.0.0.1:${server.address().port}`,
    caBundle: ca.toString('base64'),
    close: () =>
      new Promise((r) => {
        server.closeAllConnections();
        server.close(r);
      }),
  };
}

/** The usual conversion answer: `convert(object, desiredAPIVersion)` for each object. */
export const conversionAnswer = (convert) => (review) => {
  const { uid, desiredAPIVersion, objects } = review.request;
  try {
    return {
      apiVersion: review.apiVersion,
      kind: 'ConversionReview',
      response: {
        uid,
        convertedObjects: objects.map((o) => convert(structuredClone(o), desiredAPIVersion)),
        result: { status: 'Success' },
      },
    };
  } catch (e) {
    return {
      apiVersion: review.apiVersion,
      kind: 'ConversionReview',
      response: { uid, convertedObjects: [], result: { status: 'Failure', message: e.message } },
    };
  }
};

/** The usual admission answer: `decide(request)` returns { allowed, message?, code?, patch?, warnings? }. */
export const admissionAnswer = (decide) => (review) => {
  const verdict = decide(review.request);
  const response = { uid: review.request.uid, allowed: verdict.allowed };
  if (verdict.message || verdict.code) response.status = { message: verdict.message, code: verdict.code };
  if (verdict.patch)
    Object.assign(response, {
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(verdict.patch)).toString('base64'),
    });
  if (verdict.warnings) response.warnings = verdict.warnings;
  return { apiVersion: review.apiVersion, kind: 'AdmissionReview', response };
};
