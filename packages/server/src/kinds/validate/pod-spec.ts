// Validation of the spec of pods and of templates of pods, in the order of kube-apiserver.
import { nameIsDnsSubdomain, validateDns1123Subdomain } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type ObjectMeta,
  validateAnnotations,
  validateLabels,
} from '@instar/machinery';
import { validatePodAnnotations } from './pod/annotations.ts';
import {
  type ContainerContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './pod/containers.ts';
import { containersWithPath } from './pod/each-container.ts';
import { validateIpText } from './pod/ip-text.ts';
import type { PodSpec, PodTemplateSpec } from './pod/pod-types.ts';
import { validateContainerResources, validatePodResources } from './pod/resources.ts';
import {
  validateAffinity,
  validateSchedulingGates,
  validateTolerations,
  validateTopologySpread,
} from './pod/scheduling.ts';
import {
  validateHostProcesses,
  validateHostUsers,
  validateOs,
  validatePodSecurityContext,
} from './pod/security.ts';
import {
  MAX_INT32,
  validateChoice,
  validateLabelText,
  validateObjectName,
  validateQualified,
  validateSubdomain,
} from './pod/values.ts';
import { validateVolumes } from './pod/volumes.ts';

/** Of a template as other kinds hold it. */
export function validatePodTemplateSpec(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const { metadata = {}, spec } = template;
  const errors = [
    ...validateLabels(metadata.labels, path.child('labels')),
    ...validateAnnotations(metadata.annotations, path.child('annotations')),
    ...validatePodAnnotations(metadata.annotations ?? {}, spec, path.child('annotations')),
    ...validateSpec(spec, {}, false, path.child('spec')),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const at = path.child('spec', 'ephemeralContainers');
    errors.push(fieldErrors.forbidden(at, 'ephemeral containers not allowed in pod template'));
  }
  return errors;
}

export const validatePodSpec = (spec: PodSpec, metadata: ObjectMeta, path: FieldPath): FieldError[] =>
  validateSpec(spec, metadata, true, path);

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** A template has no metadata of its own for this, and is less strict. */
function validateSpec(spec: PodSpec, metadata: ObjectMeta, isPod: boolean, path: FieldPath): FieldError[] {
  const at = (field: string): FieldPath => path.child(field);
  const { initContainers = [], ephemeralContainers = [] } = spec;
  // Go prints an empty list of containers as null.
  const containers = spec.containers ?? [];
  const { byName: volumes, errors } = validateVolumes(spec.volumes ?? [], { metadata, isPod }, at('volumes'));
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter((name) => name));
  const context: ContainerContext = {
    volumes,
    claims,
    gracePeriod: spec.terminationGracePeriodSeconds,
    os: spec.os?.name,
    restartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers !== false,
  };
  const others = [...containers, ...initContainers];
  return [
    ...errors,
    ...validateResourceClaims(spec, at('resourceClaims')),
    ...validateContainers(containers, context, at('containers')),
    ...validateInitContainers(initContainers, containers, context, at('initContainers')),
    ...validateEphemeralContainers(ephemeralContainers, others, context, at('ephemeralContainers')),
    ...validatePodResources(spec, claims, at('resources')),
    ...validateHostNetwork(spec, isPod, at('containers')),
    ...validateChoice(spec.restartPolicy, RESTART_POLICIES, at('restartPolicy')),
    ...validateChoice(spec.dnsPolicy, DNS_POLICIES, at('dnsPolicy')),
    ...validateLabels(spec.nodeSelector, at('nodeSelector')),
    ...validatePodSecurityContext(spec.securityContext, spec, at('securityContext')),
    ...validateAffinity(spec.affinity, at('affinity')),
    ...validateDnsConfig(spec, at('dnsConfig')),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) =>
      validateQualified(conditionType, at('readinessGates').index(index).child('conditionType')),
    ),
    ...validateSchedulingGates(spec.schedulingGates ?? [], at('schedulingGates')),
    ...validateTopologySpread(spec.topologySpreadConstraints ?? [], at('topologySpreadConstraints')),
    ...validateHostProcesses(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostnameOverride(spec, at('hostnameOverride')),
    ...validateRest(spec, path),
    ...validateOs(spec, path),
    ...validateFileKeyVolumes(spec, path),
  ];
}

function validateRest(spec: PodSpec, path: FieldPath): FieldError[] {
  const at = (field: string): FieldPath => path.child(field);
  const named = (field: 'serviceAccountName' | 'nodeName' | 'priorityClassName'): FieldError[] =>
    spec[field] ? validateObjectName(spec[field], at(field)) : [];
  const labeled = (field: 'hostname' | 'subdomain'): FieldError[] =>
    spec[field] ? validateLabelText(spec[field], at(field)) : [];
  return [
    ...named('serviceAccountName'),
    ...named('nodeName'),
    ...validateDeadline(spec.activeDeadlineSeconds, at('activeDeadlineSeconds')),
    ...labeled('hostname'),
    ...labeled('subdomain'),
    ...validateTolerations(spec.tolerations ?? [], at('tolerations')),
    ...validateHostAliases(spec, at('hostAliases')),
    ...named('priorityClassName'),
    ...(spec.runtimeClassName === undefined
      ? []
      : validateObjectName(spec.runtimeClassName, at('runtimeClassName'))),
    ...(spec.preemptionPolicy === undefined
      ? []
      : validateChoice(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], at('preemptionPolicy'))),
    ...(spec.overhead === undefined
      ? []
      : validateContainerResources({ limits: spec.overhead }, new Set(), at('overhead'))),
  ];
}

const validateDeadline = (seconds: number | undefined, path: FieldPath): FieldError[] =>
  seconds === undefined || (seconds >= 1 && seconds <= MAX_INT32)
    ? []
    : [fieldErrors.invalid(path, seconds, `must be between 1 and ${MAX_INT32}, inclusive`)];

function validateResourceClaims({ resourceClaims = [] }: PodSpec, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return resourceClaims.flatMap((claim, index) => {
    const at = path.index(index);
    const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    const errors: FieldError[] = [];
    if (name === '') errors.push(fieldErrors.required(at.child('name')));
    else if (names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name));
    else errors.push(...validateLabelText(name, at.child('name')));
    names.add(name);
    if ((own === undefined) === (template === undefined)) {
      const value = {
        Name: name,
        ResourceClaimName: own ?? null,
        ResourceClaimTemplateName: template ?? null,
      };
      const why =
        own === undefined
          ? 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
          : 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push({ ...fieldErrors.invalid(at, value, why), valueText: JSON.stringify(value) });
    }
    if (own !== undefined) errors.push(...validateObjectName(own, at.child('resourceClaimName')));
    if (template !== undefined)
      errors.push(...validateObjectName(template, at.child('resourceClaimTemplateName')));
    return errors;
  });
}

function validateHostNetwork(
  { hostNetwork, containers }: PodSpec,
  isPod: boolean,
  path: FieldPath,
): FieldError[] {
  if (!hostNetwork) return [];
  return (containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort }, i) =>
      (isPod || hostPort !== 0) && hostPort !== containerPort
        ? [
            fieldErrors.invalid(
              path.index(index).child('ports').index(i).child('hostPort'),
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
        : [],
    ),
  );
}

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

function validateDnsConfig({ dnsConfig, dnsPolicy }: PodSpec, path: FieldPath): FieldError[] {
  if (dnsPolicy === 'None' && dnsConfig === undefined)
    return [fieldErrors.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  const serversAt = path.child('nameservers');
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [fieldErrors.required(serversAt, why)];
  }
  const errors: FieldError[] = [];
  const refuse = (at: FieldPath, value: string[], what: string): void => {
    errors.push(fieldErrors.invalid(at, value, `must not have more than ${what}`));
  };
  if (nameservers.length > MAX_NAMESERVERS) refuse(serversAt, nameservers, `${MAX_NAMESERVERS} nameservers`);
  errors.push(...nameservers.flatMap((ip, index) => validateIpText(ip, serversAt.index(index))));
  const searchesAt = path.child('searches');
  if (searches.length > MAX_SEARCHES) refuse(searchesAt, searches, `${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    refuse(searchesAt, searches, `${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`);
  errors.push(...searches.flatMap((search, index) => validateSearch(search, searchesAt.index(index))));
  for (const [index, { name }] of options.entries())
    if (!name) errors.push(fieldErrors.required(path.child('options').index(index), 'must not be empty'));
  return errors;
}

const SEARCH = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const SEARCH_FAULT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

function validateSearch(given: string, path: FieldPath): FieldError[] {
  if (given === '.') return [];
  const search = given.replace(/\.$/, '');
  const tooLong = validateDns1123Subdomain(search).filter((fault) => fault.startsWith('must be no more'));
  return [...tooLong, ...(SEARCH.test(search) ? [] : [SEARCH_FAULT])].map((fault) =>
    fieldErrors.invalid(path, search, fault),
  );
}

const validateHostAliases = ({ hostAliases = [] }: PodSpec, path: FieldPath): FieldError[] =>
  hostAliases.flatMap(({ ip = '', hostnames = [] }, index) => [
    ...validateIpText(ip, path.index(index).child('ip')),
    ...hostnames.flatMap((name, i) => validateSubdomain(name, path.index(index).child('hostnames').index(i))),
  ]);

const MAX_HOSTNAME = 64;

function validateHostnameOverride(spec: PodSpec, path: FieldPath): FieldError[] {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return [];
  const errors: FieldError[] = [];
  const forbid = (when: string): void => {
    errors.push(fieldErrors.forbidden(path, `may not be specified when ${when} is true`));
  };
  if (spec.setHostnameAsFQDN) forbid('setHostnameAsFQDN');
  if (spec.hostNetwork) forbid('hostNetwork');
  if (name.length > MAX_HOSTNAME) errors.push(fieldErrors.tooLong(path, MAX_HOSTNAME));
  return [
    ...errors,
    ...nameIsDnsSubdomain(name, false).map((fault) => fieldErrors.invalid(path, name, fault)),
  ];
}

/** A variable may come from a file of an emptyDir only. */
function validateFileKeyVolumes(spec: PodSpec, path: FieldPath): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return containersWithPath(spec, path).flatMap(([{ env = [] }, at]) =>
    env.flatMap(({ valueFrom }, index) => {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (name === undefined) return [];
      const where = at.child('env').index(index).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = volumes.get(name);
      if (volume === undefined) return [fieldErrors.notFound(where, name)];
      return volume.emptyDir === undefined
        ? [fieldErrors.invalid(where, name, 'referenced volume must be of type emptyDir')]
        : [];
    }),
  );
}
