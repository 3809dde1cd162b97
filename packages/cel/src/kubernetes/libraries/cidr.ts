// The library of networks: cidr(), isCIDR(), and what a network contains.

import { type Cidr, cidrContainsAddress, cidrContainsCidr, maskedCidr, printCidr } from '@instar/go';
import { functionOf, type Library, memberOverload, overload } from '../../extension.ts';
import { boolType, intType, opaqueType, stringType } from '../../values/types.ts';
import { CelError, Opaque, type Value } from '../../values.ts';
import { readCidr } from '../addresses.ts';
import { IpValue, ipOfString, ipType } from './ip.ts';

export const cidrType = opaqueType('net.CIDR');

class CidrValue extends Opaque {
  readonly type = cidrType;
  readonly cidr: Cidr;

  constructor(cidr: Cidr) {
    super();
    this.cidr = cidr;
  }

  /** The bytes that the prefix covers. */
  override get size(): number {
    return Math.ceil(this.cidr.prefixLength / 8);
  }

  equals(other: Value): boolean {
    return other instanceof CidrValue && printCidr(other.cidr) === printCidr(this.cidr);
  }
}

function cidrOfString(text: Value): CidrValue | CelError {
  const cidr = readCidr(text as string);
  // Upstream repeats the message if the text is not a network at all.
  return typeof cidr === 'string'
    ? new CelError(`network address parse error during conversion from string: ${cidr}`)
    : new CidrValue(cidr);
}

function containsIp(network: Value, ip: Value): Value {
  return ip instanceof CelError
    ? ip
    : cidrContainsAddress((network as CidrValue).cidr, (ip as IpValue).address);
}

function containsCidr(network: Value, other: Value): Value {
  return other instanceof CelError
    ? other
    : cidrContainsCidr((network as CidrValue).cidr, (other as CidrValue).cidr);
}

export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  types: [cidrType],
  functions: [
    functionOf('cidr', overload('string_to_cidr', [stringType], cidrType, cidrOfString)),
    functionOf(
      'isCIDR',
      overload('is_cidr', [stringType], boolType, (text) => typeof readCidr(text as string) !== 'string'),
    ),
    functionOf(
      'containsIP',
      memberOverload('cidr_contains_ip_string', [cidrType, stringType], boolType, (network, text) =>
        containsIp(network, ipOfString(text)),
      ),
      memberOverload('cidr_contains_ip_ip', [cidrType, ipType], boolType, containsIp),
    ),
    functionOf(
      'containsCIDR',
      memberOverload('cidr_contains_cidr_string', [cidrType, stringType], boolType, (network, text) =>
        containsCidr(network, cidrOfString(text)),
      ),
      memberOverload('cidr_contains_cidr', [cidrType, cidrType], boolType, containsCidr),
    ),
    functionOf(
      'ip',
      memberOverload(
        'cidr_ip',
        [cidrType],
        ipType,
        (network) => new IpValue((network as CidrValue).cidr.address),
      ),
    ),
    functionOf(
      'prefixLength',
      memberOverload(
        'cidr_prefix_length',
        [cidrType],
        intType,
        (network) => (network as CidrValue).cidr.prefixLength,
      ),
    ),
    functionOf(
      'masked',
      memberOverload(
        'cidr_masked',
        [cidrType],
        cidrType,
        (network) => new CidrValue(maskedCidr((network as CidrValue).cidr)),
      ),
    ),
    functionOf(
      'string',
      overload('cidr_to_string', [cidrType], stringType, (network) => printCidr((network as CidrValue).cidr)),
    ),
  ],
};
