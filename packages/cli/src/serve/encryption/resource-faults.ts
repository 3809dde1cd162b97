// What is wrong with the resources of one rule of an EncryptionConfiguration, with kube-apiserver's texts.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const NO_API = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];
const OVERLAP =
  "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
const EVENTS =
  "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";

export function resourceFaults(resources: readonly string[], path: FieldPath): FieldError[] {
  const whole = (detail: string) => fieldErrors.invalid(path, [...resources], detail);
  return [
    ...(new Set(resources).size < resources.length
      ? [whole('the same resource cannot be specified multiple times')]
      : []),
    ...(overlaps(resources) ? [whole(OVERLAP)] : []),
    ...resources.flatMap((resource, index) => {
      const fault = nameFault(resource);
      return fault === undefined ? [] : [fieldErrors.invalid(path.index(index), resource, fault)];
    }),
  ];
}

function groupOf(resource: string): string {
  const dot = resource.indexOf('.');
  return dot < 0 ? '' : resource.slice(dot + 1);
}

function overlaps(resources: readonly string[]): boolean {
  const different = [...new Set(resources)];
  return different.some(
    (wide) =>
      wide.startsWith('*.') &&
      different.some((other) => other !== wide && (wide === '*.*' || groupOf(other) === groupOf(wide))),
  );
}

function nameFault(resource: string): string | undefined {
  const group = groupOf(resource);
  if (resource !== resource.toLowerCase()) return 'resource name should not contain capital letters';
  if (resource === '*')
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (NO_API.includes(resource)) return 'resources which do not have REST API/s cannot be encrypted';
  if (group === 'events.k8s.io') return EVENTS;
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*.*')
    return 'encrypting the same resource across groups is not supported';
  return undefined;
}
