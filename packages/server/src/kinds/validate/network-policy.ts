// Validation of network policies.
import { cidrContainsAddress, isSloppyCidr, maskedCidr, parseCidr, validatePortNumber } from '@instar/go';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type KubeObject,
  type LabelSelectorObject,
  validateLabelSelectorObject,
} from '@instar/machinery';
import { invalidFor, validateOneOf } from './checks.ts';
import { validateCidr } from './cidr.ts';
import { portNameReasons } from './port-name.ts';

interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

interface IpBlock {
  cidr: string;
  except?: string[];
}

interface Peer {
  podSelector?: LabelSelectorObject;
  namespaceSelector?: LabelSelectorObject;
  ipBlock?: IpBlock;
}

export interface NetworkPolicy extends KubeObject {
  spec: {
    podSelector?: LabelSelectorObject;
    ingress?: { ports?: PolicyPort[]; from?: Peer[] }[];
    egress?: { ports?: PolicyPort[]; to?: Peer[] }[];
    policyTypes?: string[];
  };
}

const SPEC = FieldPath.of('spec');
const TYPES = ['Ingress', 'Egress'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

const blocksOf = ({ spec }: NetworkPolicy): IpBlock[] =>
  [
    ...(spec.ingress ?? []).flatMap(({ from = [] }) => from),
    ...(spec.egress ?? []).flatMap(({ to = [] }) => to),
  ].flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock]));

/** Networks that the old policy has may stay as they are. */
export function validateNetworkPolicy({ spec }: NetworkPolicy, old?: NetworkPolicy): FieldError[] {
  const known = old === undefined ? [] : blocksOf(old).flatMap(({ cidr, except = [] }) => [cidr, ...except]);
  const errors = [
    ...validateLabelSelectorObject(spec.podSelector ?? {}, SPEC.child('podSelector')),
    ...(spec.ingress ?? []).flatMap(({ ports = [], from = [] }, index) =>
      validateRule(ports, from, SPEC.child('ingress').index(index), 'from', known),
    ),
    ...(spec.egress ?? []).flatMap(({ ports = [], to = [] }, index) =>
      validateRule(ports, to, SPEC.child('egress').index(index), 'to', known),
    ),
  ];
  const types = spec.policyTypes ?? [];
  const path = SPEC.child('policyTypes');
  if (types.length > TYPES.length)
    return [...errors, fieldErrors.invalid(path, types, 'may not specify more than two policyTypes')];
  return [...errors, ...types.flatMap((type, index) => validateOneOf(type, TYPES, path.index(index)))];
}

const validateRule = (
  ports: readonly PolicyPort[],
  peers: readonly Peer[],
  path: FieldPath,
  name: 'from' | 'to',
  known: readonly string[],
): FieldError[] => [
  ...ports.flatMap((port, index) => validatePolicyPort(port, path.child('ports').index(index))),
  ...peers.flatMap((peer, index) => validatePeer(peer, path.child(name).index(index), known)),
];

function validatePolicyPort({ protocol, port, endPort }: PolicyPort, path: FieldPath): FieldError[] {
  const errors = validateOneOf(protocol, PROTOCOLS, path.child('protocol'));
  const end = path.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined)
      errors.push(fieldErrors.invalid(end, endPort, 'may not be specified when `port` is not specified'));
    return errors;
  }
  if (typeof port === 'string') {
    if (endPort !== undefined)
      errors.push(fieldErrors.invalid(end, endPort, 'may not be specified when `port` is non-numeric'));
    return [...errors, ...invalidFor(path.child('port'), port, portNameReasons(port))];
  }
  errors.push(...invalidFor(path.child('port'), port, validatePortNumber(port)));
  if (endPort === undefined) return errors;
  if (endPort < port) errors.push(fieldErrors.invalid(end, port, 'must be greater than or equal to `port`'));
  return [...errors, ...invalidFor(end, endPort, validatePortNumber(endPort))];
}

function validatePeer(peer: Peer, path: FieldPath, known: readonly string[]): FieldError[] {
  const { podSelector: pods, namespaceSelector: namespaces, ipBlock } = peer;
  const errors = [
    ...(pods === undefined ? [] : validateLabelSelectorObject(pods, path.child('podSelector'))),
    ...(namespaces === undefined
      ? []
      : validateLabelSelectorObject(namespaces, path.child('namespaceSelector'))),
    ...(ipBlock === undefined ? [] : validateBlock(ipBlock, path.child('ipBlock'), known)),
  ];
  const hasSelector = pods !== undefined || namespaces !== undefined;
  if (!hasSelector && ipBlock === undefined) errors.push(fieldErrors.required(path, 'must specify a peer'));
  else if (hasSelector && ipBlock !== undefined)
    errors.push(fieldErrors.forbidden(path, 'may not specify both ipBlock and another peer'));
  return errors;
}

function validateBlock({ cidr, except = [] }: IpBlock, path: FieldPath, known: readonly string[]) {
  if (cidr === '') return [fieldErrors.required(path.child('cidr'))];
  const errors = validateCidr(cidr, path.child('cidr'), known);
  if (!isSloppyCidr(cidr)) return errors;
  return [
    ...errors,
    ...except.flatMap((text, index) => {
      const at = path.child('except').index(index);
      const faults = validateCidr(text, at, known);
      return isStrictSubset(text, cidr)
        ? faults
        : [...faults, fieldErrors.invalid(at, text, 'must be a strict subset of `cidr`')];
    }),
  ];
}

/** True also for what is no network, which has its own error. */
function isStrictSubset(inner: string, outer: string): boolean {
  const [part, whole] = [parseCidr(inner), parseCidr(outer)];
  if (typeof part === 'string' || typeof whole === 'string') return true;
  return cidrContainsAddress(whole, maskedCidr(part).address) && whole.prefixLength < part.prefixLength;
}
