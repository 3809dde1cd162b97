// Brings the EndpointSlices of one service to a desired state with few changes: endpoints stay in their
// slices, new ones fill those that have room, and what is empty goes.
import {
  asJson,
  asKubeObject,
  deepEqual,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
} from '@instar/machinery';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import { deleteInternally } from '../../controllers/internal-deletes.ts';
import { changeInternally, createInternally } from '../internal-objects.ts';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const SLICE_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MAX_ENDPOINTS = 100;

export interface SlicePort {
  name: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

export interface Endpoint {
  addresses: string[];
  conditions: { ready: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  nodeName?: string;
  zone?: string;
  targetRef?: JsonObject;
}

/** Endpoints of one family that have the same ports. */
export interface EndpointGroup {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints?: Endpoint[] | null;
  ports?: SlicePort[] | null;
}

/** What all slices of the service have. */
export interface SliceTemplate {
  readonly metadata: Pick<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences'> & {
    namespace: string;
    generateName: string;
  };
}

interface Planned {
  readonly present: EndpointSlice | undefined;
  readonly endpoints: Endpoint[];
}

export async function reconcileSlices(
  registry: ResourceRegistry,
  present: readonly EndpointSlice[],
  groups: readonly EndpointGroup[],
  template: SliceTemplate,
): Promise<void> {
  const resource = registry.get('discovery.k8s.io', 'endpointslices')!;
  const kept = new Set<EndpointSlice>();
  for (const group of groups) {
    const same = present.filter((slice) => keyOfGroup(slice) === keyOfGroup(group));
    for (const planned of planOf(group, same)) {
      if (planned.present === undefined) {
        await createInternally(registry, newSlice(group, planned.endpoints, template));
        continue;
      }
      kept.add(planned.present);
      if (isRight(planned, template)) continue;
      const { namespace, name } = planned.present.metadata;
      await changeInternally(resource, { namespace: namespace!, name: name! }, (slice) => {
        slice['endpoints'] = planned.endpoints as unknown as JsonValue;
        setMetadata(slice.metadata, template);
      });
    }
  }
  for (const slice of present) if (!kept.has(slice)) await deleteInternally(resource, slice.metadata);
}

const keyOfGroup = ({ addressType, ports }: { addressType: string; ports?: readonly SlicePort[] | null }) =>
  `${addressType} ${(ports ?? [])
    .map(({ name, port, protocol, appProtocol = '' }) => `${name}/${port}/${protocol}/${appProtocol}`)
    .sort()
    .join()}`;

const keyOfEndpoint = ({ addresses, targetRef }: Endpoint): string =>
  `${addresses.join()} ${String(targetRef?.['uid'] ?? '')}`;

function planOf(group: EndpointGroup, present: readonly EndpointSlice[]): Planned[] {
  const desired = new Map(group.endpoints.map((endpoint) => [keyOfEndpoint(endpoint), endpoint]));
  const plans: Planned[] = present.map((slice) => {
    const endpoints = (slice.endpoints ?? []).flatMap((endpoint) => {
      const key = keyOfEndpoint(endpoint);
      const wanted = desired.get(key);
      desired.delete(key);
      return wanted === undefined ? [] : [wanted];
    });
    return { present: slice, endpoints };
  });
  // Fullest first, so that slices fill up and others become empty.
  plans.sort((a, b) => b.endpoints.length - a.endpoints.length);
  for (const endpoint of desired.values()) {
    let plan = plans.find(({ endpoints }) => endpoints.length < MAX_ENDPOINTS);
    if (plan === undefined) plans.push((plan = { present: undefined, endpoints: [] }));
    plan.endpoints.push(endpoint);
  }
  const used = plans.filter(({ endpoints }) => endpoints.length > 0);
  if (used.length > 0) return used;
  // One without endpoints says that there are none.
  return [plans[0] ?? { present: undefined, endpoints: [] }];
}

function isRight({ present, endpoints }: Planned, template: SliceTemplate): boolean {
  const { labels = {}, annotations = {} } = present!.metadata;
  return (
    deepEqual(asJson(present!)['endpoints'] ?? [], endpoints as unknown as JsonValue) &&
    deepEqual(labels, template.metadata.labels ?? {}) &&
    deepEqual(annotations, template.metadata.annotations ?? {})
  );
}

function setMetadata(metadata: ObjectMeta, template: SliceTemplate): void {
  metadata.labels = { ...template.metadata.labels };
  metadata.annotations = { ...template.metadata.annotations };
}

function newSlice(group: EndpointGroup, endpoints: Endpoint[], { metadata }: SliceTemplate): KubeObject {
  return asKubeObject({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: structuredClone(metadata) as unknown as JsonObject,
    addressType: group.addressType,
    ports: group.ports as unknown as JsonValue,
    endpoints: endpoints as unknown as JsonValue,
  });
}
