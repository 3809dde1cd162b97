// A commit as a transaction of etcd.
import type { Commit, Operation } from '../../store.ts';
import type { RequestOp, TxnRequest } from './messages/kv.ts';

type LeaseFor = (ttlSeconds: number) => Promise<number>;

export async function txnOf(
  { conditions, operations }: Commit,
  namespace: string,
  leaseFor: LeaseFor,
): Promise<TxnRequest> {
  const keyOf = (key: string): Buffer => Buffer.from(namespace + key);
  const success: RequestOp[] = [];
  for (const operation of operations)
    success.push(await requestOf(operation, keyOf(operation.key), leaseFor));
  return {
    // A missing key has revision 0.
    compare: conditions.map(({ key, modRevision }) => ({
      key: keyOf(key),
      target: 'mod',
      equals: modRevision,
    })),
    success,
    failure: [...new Set(conditions.map(({ key }) => key))].map((key) => ({
      type: 'range',
      range: { key: keyOf(key) },
    })),
  };
}

async function requestOf(operation: Operation, key: Buffer, leaseFor: LeaseFor): Promise<RequestOp> {
  if (operation.type === 'delete') return { type: 'delete', key };
  const { value, ttlSeconds } = operation;
  return ttlSeconds === undefined
    ? { type: 'put', key, value }
    : { type: 'put', key, value, lease: await leaseFor(ttlSeconds) };
}
