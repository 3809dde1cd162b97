// The pods that a namespace already has, when it is to enforce a stricter level: they stay, and the author of
// the change is told which of them would not be let in.
import type { KubeObject } from '@instar/machinery';
import type { CachedObject } from '../../../objects/cached-object.ts';
import type { Resource } from '../../../objects/resource.ts';
import { type LevelVersion, printLevel } from './level.ts';
import { checkedPod, type PodSpec } from './pod.ts';
import { violationReasons, violationsOf } from './standards.ts';

const MAX_PODS = 3000;
const MAX_MS = 1000;
/** Parsing pods must not hold the event loop. */
const SLICE_MS = 8;

/** Texts of warnings. */
export async function warningsOfPods(
  resource: Resource,
  namespace: string,
  level: LevelVersion,
  exempt: ReadonlySet<string>,
): Promise<string[]> {
  const { cache } = resource;
  await cache.waitUntilStarted();
  const all = cache.slice(resource.key(namespace, ''));
  const byFault = new Map<string, string[]>();
  const pods = oneOfEachFirst(all);
  const deadline = performance.now() + MAX_MS;
  let pause = performance.now() + SLICE_MS;
  let checked = 0;
  for (const cached of pods.slice(0, MAX_PODS)) {
    const now = performance.now();
    if (now > deadline) break;
    if (now > pause) {
      await new Promise((resolve) => setImmediate(resolve));
      pause = performance.now() + SLICE_MS;
    }
    checked++;
    const pod = cached.parse() as KubeObject & { spec: PodSpec };
    if (exempt.has(pod.spec.runtimeClassName ?? '')) continue;
    const found = violationsOf(level, checkedPod(pod));
    if (found.length === 0) continue;
    const reasons = violationReasons(found);
    const names = byFault.get(reasons);
    if (names === undefined) byFault.set(reasons, [pod.metadata.name!]);
    else names.push(pod.metadata.name!);
  }
  return [
    ...(checked < pods.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`,
        ]
      : []),
    ...(byFault.size > 0
      ? [
          `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(printLevel(level))}`,
        ]
      : []),
    ...[...byFault].map(([reasons, names]) => `${shown(names)}: ${reasons}`).sort(),
  ];
}

/** Of the pods of one controller, the first comes with the others and the rest last. */
function oneOfEachFirst(all: readonly CachedObject[]): CachedObject[] {
  const controllers = new Set<string>();
  const [first, rest]: [CachedObject[], CachedObject[]] = [[], []];
  for (const cached of all) {
    const controller = cached.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
    const isKnown = controller !== undefined && controllers.has(controller);
    if (controller !== undefined) controllers.add(controller);
    (isKnown ? rest : first).push(cached);
  }
  return [...first, ...rest];
}

function shown(names: readonly string[]): string {
  const [name] = [...names].sort();
  const others = names.length - 1;
  if (others === 0) return name!;
  return `${name} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
