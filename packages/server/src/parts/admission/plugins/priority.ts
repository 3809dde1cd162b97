// Priority: pods get the priority of their class, or of the default class, of which there is at most one.
import type { KubeObject } from '@instar/machinery';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { denied, isWholeWrite, type PluginDefinition } from './plugin.ts';

interface PriorityClass extends KubeObject {
  value: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

interface PodWithPriority extends KubeObject {
  spec: { priorityClassName?: string; priority?: number; preemptionPolicy?: string };
}

const PREEMPTS = 'PreemptLowerPriority';

export const priority: PluginDefinition = {
  name: 'Priority',
  make: ({ registry }) => ({
    resources: ['/pods', 'scheduling.k8s.io/priorityclasses'],
    async mutate(operation) {
      if (!isWholeWrite(operation) || operation.write.resource.definition.names.plural !== 'pods') return;
      if (operation.operation === 'CREATE') await givePriority(operation, registry);
      else keepPriority(operation);
    },
    async validate(operation) {
      if (!isWholeWrite(operation)) return;
      const object = operation.object as PriorityClass;
      if (object.kind !== 'PriorityClass' || object.globalDefault !== true) return;
      const found = await findDefault(registry);
      if (found === undefined) return;
      if (operation.operation === 'UPDATE' && found.metadata.name === object.metadata.name) return;
      throw denied(
        operation,
        `PriorityClass ${found.metadata.name} is already marked as default. Only one default can exist`,
      );
    },
  }),
};

async function classesOf(registry: ResourceRegistry) {
  const classes = registry.get('scheduling.k8s.io', 'priorityclasses')!;
  await classes.cache.waitUntilStarted();
  return classes;
}

/** Should there be several, the lowest one. */
async function findDefault(registry: ResourceRegistry): Promise<PriorityClass | undefined> {
  let found: PriorityClass | undefined;
  for (const cached of (await classesOf(registry)).cache.values()) {
    const one = cached.parse() as PriorityClass;
    if (one.globalDefault === true && (found === undefined || one.value < found.value)) found = one;
  }
  return found;
}

async function givePriority(operation: AdmissionOperation, registry: ResourceRegistry): Promise<void> {
  const { spec } = operation.object as PodWithPriority;
  const wanted = spec.priorityClassName ?? '';
  const found = wanted === '' ? await findDefault(registry) : await findClass(operation, wanted, registry);
  const computed = found?.value ?? 0;
  if (found !== undefined) spec.priorityClassName = found.metadata.name!;
  if (spec.priority !== undefined && spec.priority !== computed)
    throw denied(
      operation,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
    );
  spec.priority = computed;
  const policy = found === undefined ? PREEMPTS : found.preemptionPolicy;
  if (policy === undefined) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
    throw denied(
      operation,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  spec.preemptionPolicy = policy;
}

async function findClass(operation: AdmissionOperation, name: string, registry: ResourceRegistry) {
  const classes = await classesOf(registry);
  const found = classes.cache.get(classes.key('', name));
  if (found === undefined) throw denied(operation, `no PriorityClass with name ${name} was found`);
  return found.parse() as PriorityClass;
}

/** Clients that do not know the fields leave them out. */
function keepPriority({ object, old }: AdmissionOperation): void {
  const { spec } = object as PodWithPriority;
  const before = (old as PodWithPriority).spec;
  if (spec.priority === undefined && before.priority !== undefined) spec.priority = before.priority;
  if (spec.preemptionPolicy === undefined && before.preemptionPolicy !== undefined)
    spec.preemptionPolicy = before.preemptionPolicy;
}
