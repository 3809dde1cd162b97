// ResourceQuota: what an object uses must be left of every quota of its namespace that is for it. What it
// uses is added to the quota, so that the next one sees it; a controller counts again from time to time.
import {
  type Amounts,
  addAmounts,
  compareAmounts,
  subtractAmounts,
} from '../../../kinds/validate/quantities.ts';
import type { ResourceQuota } from '../../../kinds/validate/resource-quota.ts';
import type { Resource } from '../../../objects/resource.ts';
import { updateObject } from '../../../objects/write/update.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { internalWrite } from '../../controllers/internal-writes.ts';
import { denied, type PluginDefinition } from './plugin.ts';
import { isInScopes } from './quota-scopes.ts';
import { missingAmounts, usageOf } from './quota-usage.ts';

export const resourceQuota: PluginDefinition = {
  name: 'ResourceQuota',
  make: ({ registry }) => {
    const quotas = registry.get('', 'resourcequotas')!;
    return {
      async validate(operation) {
        if (!isCounted(operation)) return;
        await quotas.cache.waitUntilStarted();
        if (quotas.cache.size === 0) return;
        const { namespace } = operation.write;
        // One after the other, so that two requests do not both take what is left for one.
        await quotas.turns.take(`quota ${namespace}`, () => charge(operation, quotas));
      },
    };
  },
};

/** Kinds whose updates may use more. */
const CHANGING: ReadonlySet<string> = new Set(['Service', 'PersistentVolumeClaim', 'ResourceClaim']);

function isCounted({ operation, write, object }: AdmissionOperation): boolean {
  const { namespaced, group } = write.resource.definition;
  if (!namespaced || object === undefined || write.subresource !== '') return false;
  if (operation === 'CREATE') return true;
  return operation === 'UPDATE' && ['', 'resource.k8s.io'].includes(group) && CHANGING.has(object.kind);
}

async function charge(operation: AdmissionOperation, quotas: Resource): Promise<void> {
  const { object, old, write } = operation;
  const { definition } = write.resource;
  const usage = usageOf(object!, definition);
  const before = operation.operation === 'UPDATE' ? usageOf(old!, definition) : {};
  const charged: { quota: ResourceQuota; used: Amounts }[] = [];
  for (const cached of quotas.cache.slice(quotas.key(write.namespace, ''))) {
    const quota = cached.parse() as ResourceQuota;
    if (!isInScopes(quota.spec, object!)) continue;
    const used = chargedUsage(operation, quota, usage, before);
    if (used !== undefined) charged.push({ quota, used });
  }
  if (write.dryRun) return;
  for (const { quota, used } of charged) await record(quota, used, quotas);
}

/** The new usage of a quota, if the object changes it. Throws if too much would be used. */
function chargedUsage(
  operation: AdmissionOperation,
  quota: ResourceQuota,
  usage: Amounts,
  before: Amounts,
): Amounts | undefined {
  const { hard = {}, used = {} } = quota.status;
  const name = quota.metadata.name!;
  const limited = Object.keys(hard).filter((resource) => Object.hasOwn(usage, resource));
  if (operation.object!.kind === 'Pod') {
    const missing = missingAmounts(operation.object!, Object.keys(hard));
    if (missing !== undefined) throw denied(operation, `failed quota: ${name}: ${missing}`);
  }
  const unknown = limited.filter((resource) => !Object.hasOwn(used, resource)).sort();
  if (unknown.length > 0)
    throw denied(operation, `status unknown for quota: ${name}, resources: ${unknown.join(',')}`);
  const requested: Amounts = {};
  for (const resource of limited) {
    const more = subtractAmounts(usage[resource]!, before[resource] ?? '0');
    if (compareAmounts(more, '0') > 0) requested[resource] = more;
  }
  if (Object.keys(requested).length === 0) return undefined;
  const next: Amounts = { ...used };
  for (const [resource, more] of Object.entries(requested))
    next[resource] = addAmounts(used[resource]!, more);
  const exceeded = Object.keys(requested).filter((each) => compareAmounts(next[each], hard[each]) > 0);
  if (exceeded.length === 0) return next;
  const shown = (amounts: Amounts): string =>
    exceeded
      .sort()
      .map((resource) => `${resource}=${amounts[resource]}`)
      .join(',');
  throw denied(
    operation,
    `exceeded quota: ${name}, requested: ${shown(requested)}, used: ${shown(used)}, limited: ${shown(hard)}`,
  );
}

async function record(quota: ResourceQuota, used: Amounts, quotas: Resource): Promise<void> {
  const { name, namespace } = quota.metadata;
  const write = internalWrite({
    resource: quotas,
    namespace: namespace!,
    name: name!,
    subresource: 'status',
    manager: 'kube-apiserver',
  });
  await updateObject(write, {
    mayCreate: false,
    options: {},
    next: async (live) => {
      const next = structuredClone(live!) as ResourceQuota;
      next.status.used = { ...next.status.used, ...used };
      return next;
    },
  });
}
