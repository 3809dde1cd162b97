// Every relative link in a Markdown file refers to an existing file and, if it has an anchor, to a heading.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', 'bundle', '.git']);
const LINK = /\]\(([^)\s]+)\)/g;
const FENCED = /^ *(```+)[^\n]*\n[\s\S]*?\n *\1 *$/gm;

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const proseOf = (file: string): string => readFileSync(file, 'utf8').replace(FENCED, '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): string[] =>
  [...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

function isBroken(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
  if (!existsSync(target)) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

it.each(markdownFiles(root).map((file) => relative(root, file)))('%s has no broken link', (name) => {
  const file = join(root, name);
  const links = [...proseOf(file).matchAll(LINK)].map(([, link]) => link!);
  const broken = links.filter((link) => !/^[a-z]+:/.test(link) && isBroken(file, link));
  expect(broken).toEqual([]);
});
