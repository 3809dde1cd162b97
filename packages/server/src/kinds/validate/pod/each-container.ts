// All containers of a pod with their paths, in upstream's order: init, ordinary, ephemeral.
import type { FieldPath } from '@instar/machinery';
import type { Container, PodSpec } from './pod-types.ts';

export function containersWithPath(spec: PodSpec, path: FieldPath): [Container, FieldPath][] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((name) =>
    (spec[name] ?? []).map((container, index): [Container, FieldPath] => [
      container,
      path.child(name).index(index),
    ]),
  );
}
