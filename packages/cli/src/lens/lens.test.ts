// The commands on lenses, run as functions on the examples.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { convert } from '../convert/convert.ts';
import { checkLens } from './check.ts';
import { suggestLens } from './suggest.ts';

const examples = resolve(fileURLToPath(import.meta.url), '../../../../../examples');
const file = (...parts: string[]): string => join(examples, ...parts);

let printed = '';
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

describe('instar convert', () => {
  it('prints the object in the other version', async () => {
    const flags = {
      filename: file('crontab/samples/v1.yaml'),
      to: 'v2',
      lens: file('crontab/lens.yaml'),
      output: 'yaml',
    } as const;
    expect(await convert(flags)).toBe(0);
    expect(printed).toContain('host: localhost\n');
    expect(printed).toContain('port: 1234\n');
  });

  it('ends with 2 where there is no such version', async () => {
    const flags = {
      filename: file('crontab/samples/v1.yaml'),
      to: 'v9',
      lens: file('crontab/lens.yaml'),
      output: 'json',
    } as const;
    await expect(convert(flags)).rejects.toThrow(/has no version v9; it has v1, v2/);
  });

  it('reports which objects could not be converted', async () => {
    const told = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const flags = {
      filename: file('widget/samples/v1alpha2.yaml'),
      to: 'v2',
      lens: file('crontab/lens.yaml'),
      output: 'yaml',
    } as const;
    expect(await convert(flags)).toBe(1);
    expect(told.mock.calls.join()).toContain(
      'error: Widget test-widget: foomake.io/v1alpha2 is not of the group stable.example.com',
    );
  });
});

describe('instar lens check', () => {
  it('says that nothing is lost', async () => {
    expect(await checkLens(file('widget/lens.yaml'), { crd: file('widget/crd.yaml'), format: 'text' })).toBe(
      0,
    );
    expect(printed).toBe(`v1alpha2 ↔ v1alpha3: 1 operation
· v1alpha3 → v1alpha2  spec.bars: lossy: only the first item goes into spec.bar (wrap spec.bar → spec.bars)
✓ 0 required fields are proved to have values; 2 fields are carried over unchanged (--all lists them)
complete: nothing is lost
`);
  });

  it('prints everything as JSON', async () => {
    await checkLens(file('widget/lens.yaml'), { crd: file('widget/crd.yaml'), format: 'json' });
    expect(JSON.parse(printed)).toMatchObject({ isComplete: true, withoutSchema: [] });
  });

  it('ends with 2 where there is no lens', async () => {
    await expect(checkLens(file('widget/crd.yaml'), { format: 'text' })).rejects.toThrow(/holds no Lens/);
  });
});

describe('instar lens suggest', () => {
  it('proposes the operations between the versions of a definition', async () => {
    expect(await suggestLens(file('widget/crd.yaml'), undefined, {})).toBe(0);
    expect(printed).toContain('        - wrap: { from: spec.bar, to: spec.bars }\n');
  });

  it('needs two versions', async () => {
    const crd = file('widget/crd.yaml');
    await expect(suggestLens(crd, crd, {})).rejects.toThrow(/both are v1alpha3: a lens joins two versions/);
    await suggestLens(crd, crd, { from: 'v1alpha2' });
    expect(printed).toContain('from: v1alpha2');
  });
});
