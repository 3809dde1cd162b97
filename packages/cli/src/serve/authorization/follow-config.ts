// Reads the file of --authorization-config again when it changes. A file that cannot be used leaves the
// authorizers as they were. What is not a webhook must stay, as with kube-apiserver.
import type { FollowAuthorization } from '@instar/server';
import { type Log, whenChanged } from '@instar/serving';
import { FlagError } from '../flag-error.ts';
import { readAuthorizationConfig } from './config-file.ts';
import type { AuthorizerSettings } from './modes.ts';
import { openAuthorizers } from './open-authorizers.ts';

const POLL_MS = 5_000;

export function followAuthorizationConfig(
  file: string,
  initial: readonly AuthorizerSettings[],
  log: Log,
  pollMs = POLL_MS,
): FollowAuthorization {
  return ({ replaced, failed }) => {
    const reload = async (): Promise<boolean> => {
      try {
        const settings = await readAuthorizationConfig(file);
        refuseOtherTypes(initial, settings);
        replaced(await openAuthorizers(settings));
        log.info({}, 'the authorization configuration was reloaded');
        return true;
      } catch (error) {
        failed();
        log.error({ err: error }, 'the authorization configuration could not be reloaded; the old one stays');
        // Only another change of the file can help.
        return true;
      }
    };
    const timer = setInterval(whenChanged([file], reload), pollMs).unref();
    return () => clearInterval(timer);
  };
}

function refuseOtherTypes(initial: readonly AuthorizerSettings[], next: readonly AuthorizerSettings[]): void {
  const typesOf = (all: readonly AuthorizerSettings[]) =>
    [...new Set(all.map(({ type }) => type))].filter((type) => type !== 'Webhook').sort();
  const [before, now] = [typesOf(initial).join(', '), typesOf(next).join(', ')];
  if (before !== now)
    throw new FlagError(
      `authorizers: Forbidden: the types of authorizers other than Webhook must stay ${before || 'none'}, not ` +
        `become ${now || 'none'}, until the server is restarted`,
    );
}
