// Exactly one of --lens, --module and --url.
import { CommandFailure } from '../../exit-with-message.ts';
import type { TestFlags } from '../flags.ts';
import type { Definition } from '../load-definition.ts';
import { lensTarget } from './lens-target.ts';
import { moduleTarget } from './module-target.ts';
import type { Target } from './target.ts';
import { urlTarget } from './url-target.ts';

export function chooseTarget(flags: TestFlags, definition: Definition): Promise<Target> {
  const given = [flags.lens, flags.module, flags.url].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new CommandFailure('name what to test, with one of --lens FILE, --module FILE and --url URL', 2);
  if (flags.lens !== undefined) return lensTarget(flags.lens, definition);
  return flags.module !== undefined ? moduleTarget(flags.module, definition) : urlTarget(flags.url!, flags);
}
