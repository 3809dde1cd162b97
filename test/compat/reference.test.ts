// docs/reference/check-rules.md says what the rules say. `npx vitest run test/compat/reference.test.ts -u`
// writes it anew.
import { rulesReference } from '@instar/compat';
import { expect, it } from 'vitest';

it('the reference of rules is up to date', async () => {
  await expect(rulesReference()).toMatchFileSnapshot('../../docs/reference/check-rules.md');
});
