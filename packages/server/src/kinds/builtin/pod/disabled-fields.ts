// Fields of features that are not enabled by default: they are dropped from what clients write, unless the
// object has them already.
import type { Container, PodSpec } from '../../validate/pod/pod-types.ts';

export function dropDisabledFields(spec: PodSpec, old?: PodSpec): void {
  const containers = (of: PodSpec | undefined): Container[] => [
    ...(of?.initContainers ?? []),
    ...(of?.containers ?? []),
    ...(of?.ephemeralContainers ?? []),
  ];
  if (!containers(old).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined))
    for (const { lifecycle } of containers(spec)) delete lifecycle?.stopSignal;
  for (const source of ['clusterTrustBundle', 'podCertificate'] as const) {
    const sources = (of: PodSpec | undefined) =>
      (of?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
    if (!sources(old).some((projection) => projection[source] !== undefined))
      for (const projection of sources(spec)) delete projection[source];
  }
}
