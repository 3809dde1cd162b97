// The checks of the level restricted, besides seccomp profiles: what hardened pods must say.
import {
  badContainers,
  type Check,
  containersNamed,
  joinQuoted,
  named,
  settersOf,
  sortedSet,
} from './violation.ts';

export const allowPrivilegeEscalation: Check = (pod) => {
  const bad = badContainers(
    pod,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Windows has other means; its pods must not even set these fields. */
export const unlessWindows =
  (check: Check): Check =>
  (pod) =>
    pod.spec.os?.name === 'windows' ? undefined : check(pod);

export const restrictedCapabilities: Check = (pod) => {
  const addedBy = ({ securityContext }: (typeof pod.containers)[0]): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = badContainers(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true,
  );
  const adding = badContainers(pod, (container) => addedBy(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0)
    details.push(`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const all = joinQuoted(sortedSet(pod.containers.flatMap(addedBy)));
    details.push(`${containersNamed(adding)} must not include ${all} in securityContext.capabilities.add`);
  }
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const ALLOWED_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const OTHER_VOLUMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

export const restrictedVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(
    (volume) => !ALLOWED_VOLUMES.some((source) => volume[source] != null),
  );
  if (bad.length === 0) return undefined;
  const types = bad.map((volume) => OTHER_VOLUMES.find((source) => volume[source] != null) ?? 'unknown');
  const names = bad.map(({ name }) => name);
  const uses = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${uses} ${named('restricted volume type', sortedSet(types))}`,
  };
};

export const runAsNonRoot: Check = (pod) => {
  const reason = 'runAsNonRoot != true';
  const setters = settersOf(pod, (context) => context.runAsNonRoot === false);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec.securityContext?.runAsNonRoot === true) return undefined;
  const bad = badContainers(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (bad.length === 0) return undefined;
  return { reason, detail: `pod or ${containersNamed(bad)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = (pod) => {
  const setters = settersOf(pod, (context) => context.runAsUser === 0);
  return setters === ''
    ? undefined
    : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
};
