// What clients are warned of when they create a pod or a template of pods: what is deprecated, and what is
// valid but hardly meant.
import { quoteGo, validateDns1123Label, validateLabelValue } from '@instar/go';
import { FieldPath, type ObjectMeta } from '@instar/machinery';
import { containersWithPath } from '../../validate/pod/each-container.ts';
import { ipWarnings } from '../../validate/pod/ip-text.ts';
import type {
  Container,
  ContainerPort,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  PodTemplateSpec,
  ResourceList,
} from '../../validate/pod/pod-types.ts';
import { quantityOf } from '../../validate/pod/resource-lists.ts';
import { volumeWarnings } from './volume-warnings.ts';

export function podWarnings(pod: Pod): string[] {
  const faults = validateDns1123Label(pod.metadata.name ?? '');
  const name =
    faults.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`,
        ];
  return [...name, ...specWarnings(pod.spec, pod.metadata, FieldPath.root)];
}

/** For kinds that have a template. */
export const podTemplateWarnings = ({ metadata = {}, spec }: PodTemplateSpec, path: FieldPath): string[] =>
  specWarnings(spec, metadata, path);

const SOURCES: readonly [source: string, warning: string][] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const NODE_LABELS: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
]);

function specWarnings(spec: PodSpec, _metadata: ObjectMeta, root: FieldPath): string[] {
  const path = root.child('spec');
  return [
    ...nodeWarnings(spec, path),
    ...(spec.volumes ?? []).flatMap((volume, index) =>
      SOURCES.filter(([source]) => volume[source] !== undefined).map(([source, text]) => {
        const field = source === 'storageos' ? 'storageOS' : source;
        return `${path.child('volumes').index(index).child(field)}: ${text}`;
      }),
    ),
    ...volumeWarnings(spec.volumes ?? []),
    ...repeated(spec.hostAliases ?? [], ({ ip }) => ip).map(
      ([index, ip]) => `${path.child('hostAliases').index(index).child('ip')}: duplicate ip ${quoteGo(ip)}`,
    ),
    ...pullSecretWarnings(spec, path.child('imagePullSecrets')),
    ...fractionWarnings(spec.overhead, path.child('overhead')),
    ...containersWithPath(spec, path).flatMap(([container, at]) => [
      ...fractionWarnings(container.resources?.limits, at.child('resources', 'limits'), ['memory']),
      ...fractionWarnings(container.resources?.requests, at.child('resources', 'requests'), ['memory']),
      ...fractionWarnings(container.resources?.limits, at.child('resources', 'limits'), [
        'ephemeral-storage',
      ]),
      ...fractionWarnings(container.resources?.requests, at.child('resources', 'requests'), [
        'ephemeral-storage',
      ]),
      ...envWarnings(container, at.child('env')),
    ]),
    ...portWarnings(spec, path),
    ...portNameWarnings(spec, path),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${path.child('terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec, path.child('affinity')),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip, index) =>
      ipWarnings(ip, path.child('dnsConfig', 'nameservers').index(index)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) =>
      ipWarnings(ip, path.child('hostAliases').index(index).child('ip')),
    ),
  ];
}

function nodeWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {}))
    if (NODE_LABELS.has(key))
      warnings.push(`${path.child('nodeSelector').key(key)}: ${NODE_LABELS.get(key)}`);
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = spec.affinity?.nodeAffinity ?? {};
  const affinity = path.child('affinity', 'nodeAffinity');
  for (const [index, term] of (required?.nodeSelectorTerms ?? []).entries()) {
    const at = affinity
      .child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms')
      .index(index);
    warnings.push(...termWarnings(term, false, at));
  }
  for (const [index, { preference }] of preferred.entries()) {
    const at = affinity.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    warnings.push(...termWarnings(preference ?? {}, true, at.child('preference')));
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = path.child('topologySpreadConstraints').index(index);
    if (NODE_LABELS.has(topologyKey))
      warnings.push(`${at.child('topologyKey')}: ${topologyKey} is ${NODE_LABELS.get(topologyKey)}`);
    if (labelSelector === undefined)
      warnings.push(`${at.child('labelSelector')}: a null labelSelector results in matching no pod`);
  }
  return warnings;
}

function termWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  checksValues: boolean,
  path: FieldPath,
): string[] {
  return matchExpressions.flatMap(({ key, values = [] }, index) => {
    const at = path.child('matchExpressions').index(index);
    const deprecated = NODE_LABELS.has(key) ? [`${at.child('key')}: ${key} is ${NODE_LABELS.get(key)}`] : [];
    if (!checksValues) return deprecated;
    const invalid = values.flatMap((value, i) =>
      validateLabelValue(value).map(
        (fault) => `${at.child('values').index(i)}: ${value} is invalid, ${fault}`,
      ),
    );
    return [...deprecated, ...invalid];
  });
}

/** The items after the first one with the same key. */
function repeated<T>(items: readonly T[], keyOf: (item: T) => string | undefined): [number, string][] {
  const seen = new Set<string>();
  return items.flatMap((item, index): [number, string][] => {
    const key = keyOf(item) ?? '';
    if (seen.has(key)) return [[index, key]];
    seen.add(key);
    return [];
  });
}

function pullSecretWarnings({ imagePullSecrets = [] }: PodSpec, path: FieldPath): string[] {
  return [
    ...repeated(imagePullSecrets, ({ name }) => name).map(
      ([index, name]) => `${path.index(index).child('name')}: duplicate name ${quoteGo(name)}`,
    ),
    ...imagePullSecrets.flatMap(({ name }, index) =>
      name ? [] : [`${path.index(index).child('name')}: invalid empty name ""`],
    ),
  ];
}

/** Bytes are whole. */
function fractionWarnings(
  list: ResourceList = {},
  path: FieldPath,
  names: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] {
  return names.flatMap((name) => {
    if (!Object.hasOwn(list, name)) return [];
    const { unscaled, scale } = quantityOf(list[name]);
    return scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n
      ? []
      : [`${path.key(name)}: fractional byte value ${quoteGo(list[name]!)} is invalid, must be an integer`];
  });
}

function envWarnings({ env = [] }: Container, path: FieldPath): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    const hides = valueFrom !== undefined || value === reference || !value.includes(reference);
    return hides
      ? [
          `${path.index(index)}: hides previous definition of ${quoteGo(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
}

function everyPort(spec: PodSpec, path: FieldPath): [ContainerPort, FieldPath][] {
  return containersWithPath(spec, path).flatMap(([{ ports = [] }, at]) =>
    ports.map((port, index): [ContainerPort, FieldPath] => [port, at.child('ports').index(index)]),
  );
}

function portWarnings(spec: PodSpec, path: FieldPath): string[] {
  const known = new Map<string, [ContainerPort, FieldPath][]>();
  return everyPort(spec, path).flatMap(([port, at]) => {
    const { hostIP = '', hostPort = 0, containerPort, protocol = '' } = port;
    const warnings: string[] = [];
    if (hostIP !== '' && hostPort === 0) {
      const shown = `{Name:${port.name ?? ''} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
      warnings.push(`${at}: hostIP set without hostPort: ${shown}`);
    }
    const key = `${containerPort}/${protocol}`;
    for (const [other, otherAt] of known.get(key) ?? []) {
      const { hostIP: otherIp = '', hostPort: otherPort = 0 } = other;
      if (hostIP === otherIp && hostPort === otherPort)
        warnings.push(`${at}: duplicate port definition with ${otherAt}`);
      else if (hostPort === 0 || otherPort === 0)
        warnings.push(`${at}: overlapping port definition with ${otherAt}`);
      else if (hostPort === otherPort && (hostIP === '') !== (otherIp === ''))
        warnings.push(`${at}: dangerously ambiguous port definition with ${otherAt}`);
    }
    known.set(key, [...(known.get(key) ?? []), [port, at]]);
    return warnings;
  });
}

function portNameWarnings(spec: PodSpec, path: FieldPath): string[] {
  const known = new Map<string, FieldPath>();
  return everyPort(spec, path).flatMap(([{ name }, at]) => {
    if (!name) return [];
    const other = known.get(name);
    if (other === undefined) {
      known.set(name, at);
      return [];
    }
    return [
      `${at}: duplicate port name ${quoteGo(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}

function affinityWarnings({ affinity }: PodSpec, path: FieldPath): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((field) => {
    const required = affinity?.[field]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.[field]?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const at = path.child(field);
    const text = (where: FieldPath) => `${where}: a null labelSelector results in matching no pod`;
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        labelSelector === undefined
          ? [
              text(
                at
                  .child('requiredDuringSchedulingIgnoredDuringExecution')
                  .index(index)
                  .child('labelSelector'),
              ),
            ]
          : [],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        podAffinityTerm?.labelSelector === undefined
          ? [
              text(
                at
                  .child('preferredDuringSchedulingIgnoredDuringExecution')
                  .index(index)
                  .child('podAffinityTerm', 'labelSelector'),
              ),
            ]
          : [],
      ),
    ];
  });
}
