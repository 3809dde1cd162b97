// The library of IP addresses: ip(), isIP(), ip.isCanonical() and the properties of an address.

import {
  type IpAddress,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  printIp,
} from '@instar/go';
import { functionOf, type Library, memberOverload, overload } from '../../extension.ts';
import { boolType, intType, opaqueType, stringType } from '../../values/types.ts';
import { CelError, Opaque, type Value } from '../../values.ts';
import { readIp } from '../addresses.ts';

export const ipType = opaqueType('net.IP');

export class IpValue extends Opaque {
  readonly type = ipType;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override get size(): number {
    return this.address.family === 4 ? 4 : 16;
  }

  equals(other: Value): boolean {
    return (
      other instanceof IpValue &&
      other.address.family === this.address.family &&
      other.address.value === this.address.value
    );
  }
}

export function ipOfString(text: Value): IpValue | CelError {
  const address = readIp(text as string);
  return typeof address === 'string' ? new CelError(address) : new IpValue(address);
}

function isCanonical(text: Value): Value {
  const address = readIp(text as string);
  return typeof address === 'string' ? new CelError(address) : printIp(address) === text;
}

function question(name: string, id: string, answer: (address: IpAddress) => boolean) {
  return functionOf(
    name,
    memberOverload(id, [ipType], boolType, (ip) => answer((ip as IpValue).address)),
  );
}

export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  types: [ipType],
  functions: [
    functionOf('ip', overload('string_to_ip', [stringType], ipType, ipOfString)),
    functionOf(
      'isIP',
      overload('is_ip', [stringType], boolType, (text) => typeof readIp(text as string) !== 'string'),
    ),
    functionOf('ip.isCanonical', overload('ip_is_canonical', [stringType], boolType, isCanonical)),
    functionOf(
      'family',
      memberOverload('ip_family', [ipType], intType, (ip) => (ip as IpValue).address.family),
    ),
    question('isUnspecified', 'ip_is_unspecified', isUnspecified),
    question('isLoopback', 'ip_is_loopback', isLoopback),
    question('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    question('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    question('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
    functionOf(
      'string',
      overload('ip_to_string', [ipType], stringType, (ip) => printIp((ip as IpValue).address)),
    ),
  ],
};
