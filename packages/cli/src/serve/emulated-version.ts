// --emulated-version: this server behaves as one version of Kubernetes.
import { InvalidArgumentError } from 'commander';

const OWN_VERSION = '1.36';

/** `1.36`, or `COMPONENT=1.36` for several components. */
export function emulatedVersion(text: string): string {
  if (text.split(',').every((part) => part.replace(/^[a-z-]+=/, '').replace(/^v/, '') === OWN_VERSION))
    return text;
  throw new InvalidArgumentError(
    `This server behaves as Kubernetes ${OWN_VERSION}, and as no other version.`,
  );
}
