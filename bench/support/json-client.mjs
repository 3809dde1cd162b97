// One HTTP/2 connection with a bearer token, whose answers are not looked at beyond their status.
import http2 from 'node:http2';

/** `send` fails with what is not a success; another token may be given for a request. */
export function jsonClient({ url, adminToken }) {
  const session = http2.connect(url, { rejectUnauthorized: false });
  session.on('error', () => {});
  const send = (method, path, body, token = adminToken) =>
    new Promise((resolve, reject) => {
      const headers = {
        ':method': method,
        ':path': path,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      };
      const stream = session.request(headers);
      let status = 0;
      stream.on('response', (answer) => {
        status = answer[':status'];
      });
      stream.on('data', () => {});
      stream.on('end', () => (status < 300 ? resolve() : reject(new Error(`${method} ${path}: ${status}`))));
      stream.on('error', reject);
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { send, session };
}
