// Flags of kube-apiserver whose meaning this server cannot give them: it does not start with them, and says
// why. Flags that are not listed anywhere are unknown, which is refused too.
import { InvalidArgumentError } from 'commander';

export const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map([
  ['encryption-provider-config', 'What is stored is not encrypted.'],
]);

export const refused = (reason: string) => (): never => {
  throw new InvalidArgumentError(reason);
};

const OWN_VERSION = '1.36';

/** `1.36`, or `COMPONENT=1.36` for several components. */
export function emulatedVersion(text: string): string {
  if (text.split(',').every((part) => part.replace(/^[a-z-]+=/, '').replace(/^v/, '') === OWN_VERSION))
    return text;
  throw new InvalidArgumentError(
    `This server behaves as Kubernetes ${OWN_VERSION}, and as no other version.`,
  );
}
