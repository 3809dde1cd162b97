// What may be said by --feature-gates: the gates that this server has, and those of kube-apiserver, which are
// taken and noted, not obeyed.
import type { Log } from '@instar/serving';
import { KUBE_FEATURE_GATES } from './kube-feature-gates.ts';

export type FeatureGates = Readonly<Record<string, boolean>>;

/** Turned off, definitions with a conversion webhook are kept and not served. */
export const WEBHOOK_CONVERSION = 'CustomResourceWebhookConversion';

const OWN_GATES: ReadonlySet<string> = new Set([WEBHOOK_CONVERSION]);

/** Throws if a gate is not known, in kube-apiserver's words; says which ones have no effect. */
export function checkFeatureGates(gates: FeatureGates, log: Log): void {
  const foreign = Object.keys(gates).filter((name) => !OWN_GATES.has(name));
  const unknown = foreign.find((name) => !KUBE_FEATURE_GATES.has(name));
  if (unknown !== undefined) throw new Error(`unrecognized feature gate: ${unknown}`);
  for (const gate of foreign)
    log.warn({ gate }, 'this feature gate of kube-apiserver is accepted and has no effect');
}
