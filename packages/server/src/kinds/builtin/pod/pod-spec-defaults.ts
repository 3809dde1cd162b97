// The defaults of a pod's spec that depend on other fields; those that do not are in the type. A template and
// a pod share most of them. They run at every decoding.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Container, FieldRef, HttpGet, PodSpec, Probe, Volume } from '../../validate/pod/pod-types.ts';
import { roundQuantities } from '../../validate/pod/resource-lists.ts';
import { imageTag } from './image-reference.ts';

const DEFAULT_MODE = 0o644;
const TOKEN_SECONDS = 3600;

export function fillInPodTemplate(template: JsonValue | undefined): void {
  if (isJsonObject(template) && isJsonObject(template['spec'])) fillInPodSpec(template['spec']);
}

export function fillInPodSpec(object: JsonObject): void {
  const spec = object as unknown as PodSpec;
  syncServiceAccount(spec);
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  for (const volume of spec.volumes ?? []) fillInVolume(volume);
  for (const container of everyContainer(spec)) fillInContainer(container);
  roundQuantities(spec.overhead);
  roundQuantities(spec.resources?.limits);
  roundQuantities(spec.resources?.requests);
}

const everyContainer = (spec: PodSpec): Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** The deprecated name and the present one are always the same. */
function syncServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

const pullPolicy = (image: string | undefined): string =>
  imageTag(image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';

function fillInContainer(container: Container): void {
  container.imagePullPolicy ||= pullPolicy(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const { valueFrom } of container.env ?? []) fillInFieldRef(valueFrom?.fieldRef);
  roundQuantities(container.resources?.limits);
  roundQuantities(container.resources?.requests);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe !== undefined) fillInProbe(probe);
  fillInHttpGet(container.lifecycle?.postStart?.httpGet);
  fillInHttpGet(container.lifecycle?.preStop?.httpGet);
}

function fillInProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  fillInHttpGet(probe.httpGet);
}

function fillInHttpGet(action: HttpGet | undefined): void {
  if (action === undefined) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

function fillInFieldRef(reference: FieldRef | undefined): void {
  if (reference !== undefined) reference.apiVersion ||= 'v1';
}

function fillInVolume(volume: Volume): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  if (volume.image !== undefined) volume.image.pullPolicy ||= pullPolicy(volume.image.reference);
  if (volume.hostPath !== undefined) volume.hostPath.type ??= '';
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected])
    if (source !== undefined) source.defaultMode ??= DEFAULT_MODE;
  for (const { fieldRef } of volume.downwardAPI?.items ?? []) fillInFieldRef(fieldRef);
  for (const { downwardAPI, serviceAccountToken } of volume.projected?.sources ?? []) {
    for (const { fieldRef } of downwardAPI?.items ?? []) fillInFieldRef(fieldRef);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
  }
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim === undefined) return;
  claim['volumeMode'] ??= 'Filesystem';
  const { limits, requests } = (claim['resources'] ?? {}) as unknown as Container['resources'];
  roundQuantities(limits);
  roundQuantities(requests);
}
