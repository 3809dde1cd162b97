// RuntimeClass: pods get the overhead and the conditions on nodes of their runtime class, which must exist.
import { deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';
import type { Pod, ResourceList, Toleration } from '../../../kinds/validate/pod/pod-types.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { denied, isWholeCreate, type PluginDefinition } from './plugin.ts';

interface RuntimeClass extends KubeObject {
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const NO_OVERHEAD = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

export const runtimeClass: PluginDefinition = {
  name: 'RuntimeClass',
  make: ({ registry }) => ({
    resources: ['/pods'],
    async mutate(operation) {
      if (!isWholeCreate(operation)) return;
      const found = await classOf(operation, registry);
      if (found?.overhead !== undefined) giveOverhead(operation, found.overhead.podFixed ?? {});
      if (found?.scheduling !== undefined) giveScheduling(operation, found.scheduling);
    },
    async validate(operation) {
      if (!isWholeCreate(operation)) return;
      const { overhead } = (operation.object as Pod).spec;
      const defined = (await classOf(operation, registry))?.overhead;
      if (defined === undefined) {
        if (overhead !== undefined) throw denied(operation, NO_OVERHEAD);
      } else if (!same(defined.podFixed ?? {}, overhead ?? {})) throw denied(operation, MISMATCH);
    },
  }),
};

const same = (a: unknown, b: unknown): boolean => deepEqual(a as JsonValue, b as JsonValue);

async function classOf(
  operation: AdmissionOperation,
  registry: ResourceRegistry,
): Promise<RuntimeClass | undefined> {
  const { runtimeClassName: name } = (operation.object as Pod).spec;
  if (name === undefined) return undefined;
  const classes = registry.get('node.k8s.io', 'runtimeclasses')!;
  await classes.cache.waitUntilFresh();
  const found = classes.cache.get(classes.key('', name));
  if (found === undefined)
    throw denied(operation, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found.parse() as RuntimeClass;
}

function giveOverhead(operation: AdmissionOperation, fixed: ResourceList): void {
  const { spec } = operation.object as Pod;
  const given = spec.overhead ?? {};
  if (Object.keys(given).length > 0 && !same(given, fixed)) throw denied(operation, MISMATCH);
  spec.overhead = { ...fixed };
}

function giveScheduling(
  operation: AdmissionOperation,
  { nodeSelector = {}, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
): void {
  const { spec } = operation.object as Pod;
  const selector = { ...spec.nodeSelector };
  for (const [key, value] of Object.entries(nodeSelector)) {
    if (Object.hasOwn(selector, key) && selector[key] !== value)
      throw denied(
        operation,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${selector[key]}`,
      );
    selector[key] = value;
  }
  if (Object.keys(selector).length > 0) spec.nodeSelector = selector;
  const merged = mergeTolerations([...(spec.tolerations ?? []), ...tolerations]);
  if (merged.length > 0) spec.tolerations = merged;
}

/** Without those that another one covers. */
function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  for (const [index, one] of all.entries()) {
    const isCovered =
      merged.some((other) => covers(other, one)) ||
      all.slice(index + 1).some((other) => !same(other, one) && covers(other, one));
    if (!isCovered) merged.push(one);
  }
  return merged;
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (same(wide, narrow)) return true;
  const { key = '', operator = '', effect = '', tolerationSeconds } = wide;
  if ((narrow.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    const { tolerationSeconds: seconds } = narrow;
    if (seconds === undefined || seconds > tolerationSeconds) return false;
  }
  if (operator === 'Exists') return true;
  return narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
}
