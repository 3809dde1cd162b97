// Labels secrets of service accounts with the day on which their token was last used, so that an operator
// finds those that nobody needs. A request does not wait for it, and does not fail with it.
import type { Log } from '@instar/serving';
import type { MarkUsed } from '../../api/auth/service-accounts/legacy-tokens.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { changeMetadata } from '../../objects/write/change-metadata.ts';
import { internalWrite } from './internal-writes.ts';

export function markTokensUsed(registry: ResourceRegistry, log: Log): MarkUsed {
  const running = new Set<string>();
  return ({ metadata: { namespace = '', name = '', uid } }, label, day) => {
    const id = `${namespace}/${name}`;
    if (running.has(id)) return;
    running.add(id);
    const write = internalWrite({ resource: registry.get('', 'secrets')!, namespace, name });
    changeMetadata(write, (metadata) => {
      if (metadata.uid === uid) metadata.labels = { ...metadata.labels, [label]: day };
    })
      .catch((error: unknown) =>
        log.warn({ secret: id, err: error }, 'the use of a token could not be recorded'),
      )
      .finally(() => running.delete(id));
  };
}
