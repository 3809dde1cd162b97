// Owners, dependents and finalizers at the command line.
import type { Step } from './steps.ts';

/** A dependent names its owner by uid; the shell fills it in, as a user's script would. */
export const cascade = (policy: 'background' | 'foreground' | 'orphan'): readonly Step[] => [
  {
    type: `delete cm owner-${policy} --cascade=${policy} --timeout=20s`,
    out: `configmap "owner-${policy}" deleted`,
  },
  policy === 'orphan'
    ? { type: `get cm child-${policy} -o jsonpath={.metadata.ownerReferences}`, out: /^$/ }
    : { type: `wait --for=delete cm/child-${policy} --timeout=20s` },
];

export const finalizing: readonly Step[] = [
  { type: 'create cm held', out: 'created' },
  { type: `patch cm held -p '{"metadata":{"finalizers":["example.com/hold"]}}'`, out: 'patched' },
  { type: 'delete cm held --wait=false', out: 'deleted' },
  { type: 'get cm held -o jsonpath={.metadata.deletionTimestamp}', out: /^\d{4}-/ },
  { type: 'delete cm held --timeout=1s', code: 1, err: 'timed out waiting for the condition' },
  { type: `patch cm held --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`, out: 'patched' },
  { type: 'get cm held', code: 1, err: '(NotFound)' },
];
