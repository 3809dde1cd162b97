// The errors of an expression: a list, in the order of the text, printed in the format of cel-go.
import type { Location, Source } from './source.ts';

/** An error in an expression. */
export interface Issue {
  readonly location: Location;
  readonly message: string;
}

const mostIssues = 100;
const longestSnippet = 16384;

/** Issues found in one expression. Beyond a hundred they are only counted. */
export class IssueList {
  readonly source: Source;
  private readonly found: Issue[] = [];
  private count = 0;

  constructor(source: Source) {
    this.source = source;
  }

  report(location: Location, message: string): void {
    if (++this.count <= mostIssues) this.found.push({ location, message });
  }

  reportAt(offset: number, message: string): void {
    this.report(this.source.location(offset), message);
  }

  get size(): number {
    return this.count;
  }

  list(): readonly Issue[] {
    return this.found.toSorted(
      (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
    );
  }

  format(): string {
    const lines = this.list().map((issue) => formatIssue(issue, this.source));
    if (this.count > mostIssues) lines.push(`${this.count - mostIssues} more errors were truncated`);
    return lines.join('\n');
  }
}

function formatIssue(issue: Issue, source: Source): string {
  const { line, column } = issue.location;
  const head = `ERROR: ${source.description}:${line}:${column + 1}: ${issue.message}`;
  const snippet = source.line(line);
  if (snippet === undefined || snippet.length > longestSnippet) return head;
  const shown = snippet.replaceAll('\t', ' ');
  return `${head}\n | ${shown}\n | ${caretLine([...shown], column)}`;
}

/**
 * Dots up to the position, then a caret; wide ones under characters of more than one byte, as upstream.
 */
function caretLine(characters: readonly string[], column: number): string {
  const isWide = (character: string | undefined) =>
    character !== undefined && character.codePointAt(0)! > 0x7f;
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? '\uff0e' : '.'));
  return dots.join('') + (isWide(characters[column]) ? '\uff3e' : '^');
}
