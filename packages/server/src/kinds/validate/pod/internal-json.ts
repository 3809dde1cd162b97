// A value as upstream's internal type prints it in errors: every field under its Go name, empty ones as their
// zero value. Where the internal type of a pod's spec differs from the published one, this follows it.
import { type GoField, type GoType, goStruct, type StructType } from '@instar/kinds';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { goText } from '../go-text.ts';

const INITIALS =
  /^(dns|http|tcp|grpc|tty|api|os|uid|ip|fs|se(?=Linux)|nfs|iscsi|csi|rbd|fc|aws|gce|gmsa|pd|id|cidr|url|wwids|iqn)(?=[A-Z]|$)/;
const ODD_NAMES: Readonly<Record<string, string>> = {
  cephfs: 'CephFS',
  storageos: 'StorageOS',
  targetWWNs: 'TargetWWNs',
  lastState: 'LastTerminationState',
};

const goName = (name: string): string =>
  ODD_NAMES[name] ??
  name.replace(INITIALS, (found) => found.toUpperCase()).replace(/^[a-z]/, (letter) => letter.toUpperCase());

export function internalJson(type: string, value: JsonValue): JsonValue {
  return printed(goStruct(`core/v1.${type}`), value);
}

/** The text of a value of any type of the tables, such as "batch/v1.SuccessPolicy". */
export const internalText = (reference: string, value: unknown): string =>
  goText(printed(goStruct(reference), value as JsonValue));

/** Fields of the published spec that are in the internal security context. */
const OF_SECURITY = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];
const LEFT_OUT = new Set([...OF_SECURITY, 'serviceAccount']);

function printed(type: GoType, value: JsonValue | undefined): JsonValue {
  if (type.kind === 'struct')
    return printedStruct(type, isJsonObject(value ?? null) ? (value as JsonObject) : {});
  if (type.kind === 'lazy') return printed(type.type(), value);
  if (value === undefined || value === null) return zeroOf(type);
  if (type.kind === 'list') return (value as JsonValue[]).map((item) => printed(type.items, item));
  if (type.kind !== 'map') return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [key, printed(type.values, item)]),
  );
}

function zeroOf({ kind }: GoType): JsonValue {
  switch (kind) {
    case 'string':
      return '';
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    default:
      return null;
  }
}

function printedStruct(type: StructType, value: JsonObject): JsonValue {
  const isSpec = type.name === 'v1.PodSpec';
  const out: JsonObject = {};
  for (const [name, field] of isSpec ? internalOrder(type) : type.fields) {
    if (name === 'apiVersion' && field.embeddedIn === 'TypeMeta') continue;
    if (name === 'kind' && field.embeddedIn === 'TypeMeta') continue;
    if (isSpec && LEFT_OUT.has(name)) continue;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    out[goName(name)] = given === undefined && field.pointer ? null : printed(field.type, given);
    if (isSpec && name === 'securityContext' && isJsonObject(out['SecurityContext'] ?? null))
      out['SecurityContext'] = { ...securityOf(value), ...(out['SecurityContext'] as JsonObject) };
  }
  return out;
}

/** The internal spec has one field in another position. */
function internalOrder({ fields }: StructType): [string, GoField][] {
  const moved = 'setHostnameAsFQDN';
  return [...fields].flatMap((entry): [string, GoField][] => {
    if (entry[0] === moved) return [];
    return entry[0] === 'subdomain' ? [entry, [moved, fields.get(moved)!]] : [entry];
  });
}

const securityOf = (spec: JsonObject): JsonObject => ({
  HostNetwork: spec['hostNetwork'] ?? false,
  HostPID: spec['hostPID'] ?? false,
  HostIPC: spec['hostIPC'] ?? false,
  ShareProcessNamespace: spec['shareProcessNamespace'] ?? null,
  HostUsers: spec['hostUsers'] ?? null,
});
