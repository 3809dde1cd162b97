// LimitRanger: containers get the default requests and limits of their namespace, and pods, containers and
// claims must be within its limits.
import { quantityAsFloat } from '@instar/go';
import type { KubeObject } from '@instar/machinery';
import type { LimitRange } from '../../../kinds/validate/limit-range.ts';
import type { PersistentVolumeClaim } from '../../../kinds/validate/persistent-volume-claim.ts';
import { type Amounts, amountOf, compareAmounts } from '../../../kinds/validate/quantities.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { denied, type PluginDefinition } from './plugin.ts';
import { type CountedPod as Pod, podAmounts } from './pod-amounts.ts';

type Limit = NonNullable<LimitRange['spec']['limits']>[number];

const ANNOTATION = 'kubernetes.io/limit-ranger';

export const limitRanger: PluginDefinition = {
  name: 'LimitRanger',
  make: ({ registry }) => ({
    resources: ['/pods', '/persistentvolumeclaims'],
    async mutate(operation) {
      if (!concerns(operation) || operation.object!.kind !== 'Pod') return;
      for (const range of await rangesOf(operation, registry)) giveDefaults(operation.object as Pod, range);
    },
    async validate(operation) {
      if (!concerns(operation)) return;
      for (const range of await rangesOf(operation, registry)) {
        const faults = (range.spec.limits ?? []).flatMap((limit) => faultsOf(limit, operation.object!));
        if (faults.length > 0) throw denied(operation, aggregate(faults));
      }
    },
  }),
};

/** What pods may use is fixed when they are created, except for their resize. */
function concerns({ operation, write, object, old }: AdmissionOperation): boolean {
  if (operation === 'DELETE' || old?.metadata.deletionTimestamp != null) return false;
  if (write.subresource === 'resize') return operation === 'UPDATE' && object?.kind === 'Pod';
  return write.subresource === '' && (operation === 'CREATE' || object?.kind === 'PersistentVolumeClaim');
}

async function rangesOf({ write }: AdmissionOperation, registry: ResourceRegistry): Promise<LimitRange[]> {
  const ranges = registry.get('', 'limitranges')!;
  await ranges.cache.waitUntilStarted();
  return ranges.cache.slice(ranges.key(write.namespace, '')).map((cached) => cached.parse() as LimitRange);
}

/** The distinct faults, in brackets if there are several. */
function aggregate(faults: readonly string[]): string {
  const distinct = [...new Set(faults)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`;
}

function giveDefaults({ metadata, spec }: Pod, range: LimitRange): void {
  const limits: Amounts = {};
  const requests: Amounts = {};
  for (const limit of range.spec.limits ?? []) {
    if (limit.type !== 'Container') continue;
    Object.assign(requests, limit.defaultRequest);
    Object.assign(limits, limit.default);
  }
  const given: string[] = [];
  for (const [prefix, containers] of [
    ['container', spec.containers],
    ['init container', spec.initContainers ?? []],
  ] as const)
    for (const container of containers)
      for (const [part, defaults, word] of [
        ['requests', requests, 'request'],
        ['limits', limits, 'limit'],
      ] as const) {
        const amounts = container.resources?.[part] ?? {};
        const missing = Object.keys(defaults).filter((each) => !Object.hasOwn(amounts, each));
        if (missing.length === 0) continue;
        const more = Object.fromEntries(missing.map((each) => [each, defaults[each]!]));
        container.resources = { ...container.resources, [part]: { ...amounts, ...more } };
        given.push(`${missing.sort().join(', ')} ${word} for ${prefix} ${container.name}`);
      }
  if (given.length > 0)
    metadata.annotations = {
      ...metadata.annotations,
      [ANNOTATION]: `LimitRanger plugin set: ${given.join('; ')}`,
    };
}

function faultsOf(limit: Limit, object: KubeObject): string[] {
  if (object.kind === 'PersistentVolumeClaim')
    return limit.type === 'PersistentVolumeClaim' ? claimFaults(limit, object as PersistentVolumeClaim) : [];
  const { spec } = object as Pod;
  if (limit.type === 'Pod')
    return boundFaults(limit, podAmounts(object as Pod, 'requests'), podAmounts(object as Pod, 'limits'));
  if (limit.type !== 'Container') return [];
  return [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
    boundFaults(limit, resources?.requests ?? {}, resources?.limits ?? {}),
  );
}

function claimFaults(limit: Limit, { spec }: PersistentVolumeClaim): string[] {
  const requests = spec.resources.requests ?? {};
  return [
    ...Object.entries(limit.min ?? {}).flatMap(([name, min]) =>
      minimumFault(limit.type, name, min, requests, {}),
    ),
    ...Object.entries(limit.max ?? {}).flatMap(([name, max]) => {
      const head = `maximum ${name} usage per ${limit.type} is ${max}`;
      if (!Object.hasOwn(requests, name)) return [`${head}.  No request is specified`];
      return compareAmounts(requests[name], max) > 0 ? [`${head}, but request is ${requests[name]}`] : [];
    }),
  ];
}

const boundFaults = (limit: Limit, requests: Amounts, limits: Amounts): string[] => [
  ...Object.entries(limit.min ?? {}).flatMap(([name, min]) =>
    minimumFault(limit.type, name, min, requests, limits),
  ),
  ...Object.entries(limit.max ?? {}).flatMap(([name, max]) =>
    maximumFault(limit.type, name, max, requests, limits),
  ),
  ...Object.entries(limit.maxLimitRequestRatio ?? {}).flatMap(([name, ratio]) =>
    ratioFault(limit.type, name, ratio, requests, limits),
  ),
];

function minimumFault(type: string, name: string, min: string, requests: Amounts, limits: Amounts): string[] {
  const head = `minimum ${name} usage per ${type} is ${min}`;
  if (!Object.hasOwn(requests, name)) return [`${head}.  No request is specified`];
  if (compareAmounts(requests[name], min) < 0) return [`${head}, but request is ${requests[name]}`];
  return Object.hasOwn(limits, name) && compareAmounts(limits[name], min) < 0
    ? [`${head}, but limit is ${limits[name]}`]
    : [];
}

function maximumFault(type: string, name: string, max: string, requests: Amounts, limits: Amounts): string[] {
  const head = `maximum ${name} usage per ${type} is ${max}`;
  if (!Object.hasOwn(limits, name)) return [`${head}.  No limit is specified`];
  if (compareAmounts(limits[name], max) > 0) return [`${head}, but limit is ${limits[name]}`];
  return Object.hasOwn(requests, name) && compareAmounts(requests[name], max) > 0
    ? [`${head}, but request is ${requests[name]}`]
    : [];
}

function ratioFault(type: string, name: string, max: string, requests: Amounts, limits: Amounts): string[] {
  const head = `${name} max limit to request ratio per ${type} is ${max}`;
  const [request, limit] = [requests[name], limits[name]].map((text) => quantityAsFloat(amountOf(text)));
  if (request === 0) return [`${head}, but no request is specified or request is 0`];
  if (limit === 0) return [`${head}, but no limit is specified or limit is 0`];
  const ratio = limit! / request!;
  return ratio > quantityAsFloat(amountOf(max)) ? [`${head}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}
