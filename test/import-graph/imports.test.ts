import { expect, it } from 'vitest';
import { importsOf } from './imports.ts';

const value = (specifier: string) => ({ specifier, kind: 'value' });
const type = (specifier: string) => ({ specifier, kind: 'type' });

it.each([
  ["import './a.ts';", value('./a.ts')],
  ["import a from './a.ts';", value('./a.ts')],
  ["import a, { b } from './a.ts';", value('./a.ts')],
  ["import * as a from './a.ts';", value('./a.ts')],
  ["import {\n  a, // the first\n  b as c,\n} from './a.ts';", value('./a.ts')],
  ['import { a } from "./a.ts";', value('./a.ts')],
  ["import { type A } from './a.ts';", value('./a.ts')],
  ["import type from './a.ts';", value('./a.ts')],
  ["import { from } from './a.ts';", value('./a.ts')],
  ["import type { A } from './a.ts';", type('./a.ts')],
  ["import type * as A from './a.ts';", type('./a.ts')],
  ["export { a } from './a.ts';", value('./a.ts')],
  ["export * from './a.ts';", value('./a.ts')],
  ["export * as a from './a.ts';", value('./a.ts')],
  ["export type { A } from './a.ts';", type('./a.ts')],
  ["export type * from './a.ts';", type('./a.ts')],
  ["const a = await import('./a.ts');", { specifier: './a.ts', kind: 'dynamic' }],
  ["function f() { return import('./a.ts'); }", { specifier: './a.ts', kind: 'dynamic' }],
])('finds what %j imports', (source, found) => {
  expect(importsOf(source)).toEqual([found]);
});

it.each([
  "// import a from './a.ts';",
  "/*\nimport a from './a.ts';\n*/",
  "const text = `\nimport a from './a.ts';\n`;",
  `const text = \`\${\`}\`}\nimport a from './a.ts';\n\`;`,
  'const text = "import a from \'./a.ts\'";',
  "const quote = /[/'`]/; const other = /'/;",
  'const url = import.meta.url;',
  'const a = await import(name);',
  "export const from = './a.ts';",
  "export { a };\nconst from = './a.ts';",
  "export type A = typeof from;\nconst a = './a.ts';",
  "export default { from: './a.ts' };",
])('finds no import in %j', (source) => {
  expect(importsOf(source)).toEqual([]);
});

it('finds imports after strings, comments, templates and regular expressions', () => {
  const hiding = [
    `const a = /'/.test(b) ? \`\${c({ d: '}' })}\` : e / f;`,
    `const a = \`\${/['\`]/.source}\`;`,
    'if (a) /`/.exec(b);',
    "const g = (h) / 2; // it's",
    "const i = j[0] / 2 + '//';",
  ];
  for (const line of hiding)
    expect(importsOf(`${line}\nimport { a } from './a.ts';`)).toEqual([value('./a.ts')]);
});
