// docs/reference/check-rules.md is generated from the rules. `npx vitest run test/compat/reference.test.ts
// -u` writes it.
import { rulesReference } from '@instar/compat';
import { expect, it } from 'vitest';

it('the reference of rules is up to date', async () => {
  await expect(rulesReference()).toMatchFileSnapshot('../../docs/reference/check-rules.md');
});
