// What lint and explain print, as a user sees it.
import { LINT_RULES, lint, RULES } from '@instar/compat';
import { describe, expect, it, vi } from 'vitest';
import { lintAsSarif } from '../lint/sarif.ts';
import { lintAsText } from '../lint/text.ts';
import { explain } from './explain.ts';

async function printed(rule: string | undefined): Promise<string> {
  const lines: string[] = [];
  const [out, err] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    }),
  );
  const before = process.exitCode;
  try {
    await explain(rule);
    return lines.join('');
  } finally {
    out!.mockRestore();
    err!.mockRestore();
    process.exitCode = before;
  }
}

describe('instar explain', () => {
  it('lists every rule', async () => {
    const text = await printed(undefined);
    for (const { id } of [...RULES, ...LINT_RULES]) expect(text).toContain(`  ${id} `);
  });

  it('shows a rule with its examples', async () => {
    expect(await printed('nullable')).toContain('-     nullable: true');
    expect(await printed('no-bool')).toContain('## no-bool');
    expect(await printed('nothing')).toBe('error: there is no rule nothing; instar explain lists them\n');
  });
});

describe('instar lint', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.foomake.io' },
    spec: {
      group: 'foomake.io',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { fast: { type: 'boolean', description: 'Fast.' } } },
              },
            },
          },
        },
      ],
    },
  };
  const linted = [{ file: 'widgets.yaml', findings: lint(definition) }];

  it('prints advice by rule', () => {
    expect(lintAsText(linted, false)).toContain('    warning spec.fast: is a boolean [no-bool]\n');
  });

  it('prints a summary', () => {
    expect(lintAsText(linted, false)).toContain('1 definition: 0 error, 3 warning, 0 info');
  });

  it('prints its findings as SARIF', () => {
    const [run] = JSON.parse(lintAsSarif(linted)).runs;
    expect(run.results).toContainEqual(expect.objectContaining({ ruleId: 'no-bool', level: 'warning' }));
  });
});
