// etcd's messages for operators: which version runs, and how much space the data takes. And for logging in.
import { MessageReader, MessageWriter } from './wire.ts';

export interface StatusResponse {
  /** Like "3.4.23". */
  readonly version: string;
  readonly databaseBytes: number;
}

export function decodeStatus(bytes: Buffer): StatusResponse {
  const reader = new MessageReader(bytes);
  let [version, databaseBytes] = ['', 0];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) version = reader.text();
    else if (field === 3) databaseBytes = reader.number();
    else reader.skip();
  }
  return { version, databaseBytes };
}

export const encodeAuthenticate = (name: string, password: string): Buffer =>
  new MessageWriter().text(1, name).text(2, password).finish();

export function decodeAuthenticate(bytes: Buffer): string {
  const reader = new MessageReader(bytes);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) return reader.text();
    reader.skip();
  }
  return '';
}
