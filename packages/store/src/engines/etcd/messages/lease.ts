// etcd's messages for leases: entries that expire together.
import { MessageReader, MessageWriter } from './wire.ts';

/** The id is chosen here, small enough to be an exact number. */
export const encodeLeaseGrant = (id: number, ttlSeconds: number): Buffer =>
  new MessageWriter().number(1, ttlSeconds).number(2, id).finish();

/** Why the lease was refused, if it was. */
export function decodeLeaseGrant(bytes: Buffer): string {
  const reader = new MessageReader(bytes);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 4) return reader.text();
    reader.skip();
  }
  return '';
}
