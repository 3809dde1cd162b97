// ServiceAccount: pods run as a service account that exists, get its token as a volume and its secrets for
// pulling images. An account may demand that pods use no other secrets than its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { apiErrors, generateName, type KubeObject } from '@instar/machinery';
import { WARN_ONLY_SECONDS } from '../../../kinds/builtin/service-account-token.ts';
import type { Pod, Projection, Volume } from '../../../kinds/validate/pod/pod-types.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { denied, type PluginDefinition } from './plugin.ts';
import { secretFault, usesSecrets } from './pod-secrets.ts';

interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

const MIRROR = 'kubernetes.io/config.mirror';
const ENFORCE = 'kubernetes.io/enforce-mountable-secrets';
const DEFAULT_NAME = 'default';
/** A controller creates it soon after the namespace. */
const ATTEMPTS_FOR_DEFAULT = 10;
const PAUSE_MS = 100;
const VOLUME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

export const serviceAccount: PluginDefinition = {
  name: 'ServiceAccount',
  make: ({ registry }) => ({
    resources: ['/pods'],
    async mutate(operation) {
      if (!isCreate(operation)) return;
      const pod = operation.object as Pod;
      if (isMirror(pod)) return checkMirror(operation, pod);
      if (!pod.spec.serviceAccountName) setAccount(pod, DEFAULT_NAME);
      const account = await findAccount(operation, pod, registry);
      if (pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
        mountToken(pod);
      const { imagePullSecrets = [] } = account;
      if ((pod.spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0)
        pod.spec.imagePullSecrets = imagePullSecrets.map(({ name }) => ({
          ...(name !== undefined && { name }),
        }));
      checkSecrets(operation, pod, account, false);
    },
    async validate(operation) {
      const pod = operation.object as Pod;
      const isEphemeral =
        operation.operation === 'UPDATE' && String(operation.write.subresource) === 'ephemeralcontainers';
      if (!isEphemeral && !isCreate(operation)) return;
      if (!isEphemeral && isMirror(pod)) return checkMirror(operation, pod);
      checkSecrets(operation, pod, await findAccount(operation, pod, registry), isEphemeral);
    },
  }),
};

const isCreate = ({ operation, write }: AdmissionOperation): boolean =>
  operation === 'CREATE' && write.subresource === '';

const isMirror = ({ metadata }: Pod): boolean => Object.hasOwn(metadata.annotations ?? {}, MIRROR);

/** A pod that a kubelet made for itself, and only shows here: it can have nothing from here. */
function checkMirror(operation: AdmissionOperation, { spec }: Pod): void {
  if (spec.serviceAccountName) throw denied(operation, 'a mirror pod may not reference service accounts');
  if (usesSecrets(spec)) throw denied(operation, 'a mirror pod may not reference secrets');
  const hasToken = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  );
  if (hasToken) throw denied(operation, 'a mirror pod may not use ServiceAccountToken volume projections');
}

function setAccount({ spec }: Pod, name: string): void {
  spec.serviceAccountName = name;
  // Its old name, which v1 keeps the same.
  spec.serviceAccount = name;
}

async function findAccount(
  operation: AdmissionOperation,
  pod: Pod,
  registry: ResourceRegistry,
): Promise<ServiceAccount> {
  const { namespace, isAborted } = operation.write;
  const name = pod.spec.serviceAccountName ?? '';
  if (name === '')
    throw denied(operation, `no service account specified for pod ${namespace}/${pod.metadata.name ?? ''}`);
  const accounts = registry.get('', 'serviceaccounts')!;
  const attempts = name === DEFAULT_NAME ? ATTEMPTS_FOR_DEFAULT : 1;
  await accounts.cache.waitUntilStarted();
  for (let attempt = 0; attempt <= attempts && !isAborted(); attempt++) {
    if (attempt > 0) await accounts.cache.waitUntilFresh();
    const found = accounts.cache.get(accounts.key(namespace, name));
    if (found !== undefined) return found.parse() as ServiceAccount;
    if (attempt > 0 && attempt < attempts) await sleep(PAUSE_MS * (1 + Math.random()));
  }
  throw denied(
    operation,
    `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

function checkSecrets(
  operation: AdmissionOperation,
  { spec }: Pod,
  account: ServiceAccount,
  isEphemeral: boolean,
): void {
  if (!TRUE.has(account.metadata.annotations?.[ENFORCE] ?? '')) return;
  const fault = secretFault(spec, account, isEphemeral);
  if (fault === undefined) return;
  // As upstream, which answers errors without a Status of their own with 500.
  throw isEphemeral ? apiErrors.raw({ code: 500, message: fault }) : denied(operation, fault);
}

function mountToken({ spec }: Pod): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(VOLUME_PREFIX));
  const name = existing?.name ?? generateName(VOLUME_PREFIX, Math.random);
  let isNeeded = false;
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === MOUNT_PATH)) continue;
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath: MOUNT_PATH },
    ];
    isNeeded = true;
  }
  if (isNeeded && existing === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  const sources: Projection[] = [
    { serviceAccountToken: { expirationSeconds: WARN_ONLY_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } };
}
