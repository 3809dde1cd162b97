// Refers to a resource of an API server by group, version and plural, or to an object or subresource of it.
import type { GroupVersion } from '@instar/machinery';

/** A resource, or with a name one of its objects. */
export interface ResourceRef extends GroupVersion {
  /** The plural, as in URLs: `volumesnapshots`. */
  readonly resource: string;
  /** Absent: cluster-scoped, or all namespaces for list and watch. */
  readonly namespace?: string;
  readonly name?: string;
  /** `status`, `scale`, … */
  readonly subresource?: string;
}

const segment = encodeURIComponent;

/** `/apis/example.com/v1/namespaces/default/widgets/a/status`, without the server's own base path. */
export function resourcePath(ref: ResourceRef): string {
  const root =
    ref.group === '' ? `/api/${segment(ref.version)}` : `/apis/${segment(ref.group)}/${segment(ref.version)}`;
  const namespace = ref.namespace === undefined ? '' : `/namespaces/${segment(ref.namespace)}`;
  const name = ref.name === undefined ? '' : `/${segment(ref.name)}`;
  const subresource =
    ref.subresource === undefined ? '' : `/${ref.subresource.split('/').map(segment).join('/')}`;
  return `${root}${namespace}/${segment(ref.resource)}${name}${subresource}`;
}

/** `widgets.example.com` or `pods`: how messages name a resource. */
export function resourceText({ group, resource }: Pick<ResourceRef, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}
