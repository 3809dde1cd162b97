// The events of a YAML text, with one leniency of go-yaml that the YAML specification does not have: inside
// brackets and quotes, indentation does not matter. Clients do write closing brackets at the margin, so such
// lines are indented and the text is parsed again.
import { type Event, parseEvents, YAMLException } from 'js-yaml';

const MAX_DEPTH = 500;
/** Every such line makes us parse the whole text again, so long texts may have fewer of them. */
const MAX_INDENTED_LINES = 100;
const MAX_CHARACTERS_READ_AGAIN = 2 * 1024 * 1024;
/** More than the indentation of any real document. */
const FAR = ' '.repeat(200);

export interface YamlEvents {
  readonly events: readonly Event[];
  /** The text that the offsets in the events refer to. */
  readonly source: string;
}

/** Throws YAMLException. */
export function readYamlEvents(text: string): YamlEvents {
  let source = text;
  const maxLines = Math.min(MAX_INDENTED_LINES, Math.floor(MAX_CHARACTERS_READ_AGAIN / text.length));
  for (let attempt = 0; ; attempt++) {
    try {
      return { events: parseEvents(source, { maxDepth: MAX_DEPTH }), source };
    } catch (error) {
      const start = attempt < maxLines ? startOfShallowLine(error, source) : undefined;
      if (start === undefined) throw error;
      source = `${source.slice(0, start)}${FAR}${source.slice(start)}`;
    }
  }
}

/** The start of the line with too little indentation, unless it is the last, which indentation cannot fix. */
function startOfShallowLine(error: unknown, source: string): number | undefined {
  if (
    !(error instanceof YAMLException) ||
    error.reason !== 'deficient indentation' ||
    error.mark === undefined
  )
    return undefined;
  const start = source.lastIndexOf('\n', error.mark.position - 1) + 1;
  return error.mark.position >= source.length || source.startsWith(FAR, start) ? undefined : start;
}
