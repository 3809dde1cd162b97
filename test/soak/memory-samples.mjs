// The memory of a process after garbage collections, and whether it stayed flat.

const MIB = 1024 ** 2;
/** At the start and at the end; their medians are compared, since a moment may be unusual. */
const MAX_COMPARED = 5;
const MIN_SAMPLES = 6;
/** How much more the end may have than the start: memory is measured under load, which varies. */
const TOLERANCE = { held: { share: 0.2, bytes: 12 * MIB }, rss: { share: 0.25, bytes: 48 * MIB } };

export class MemorySamples {
  #samples = [];

  async take(program) {
    this.#samples.push(await program.memory());
  }

  /** A line for the summary, and whether it holds. */
  verdict(what) {
    const { length } = this.#samples;
    if (length < MIN_SAMPLES) return { text: `${length} samples are too few`, holds: false };
    const compared = Math.min(MAX_COMPARED, Math.floor(length / 2));
    const of = (part) => median(part.map((sample) => sample[what]));
    const [start, end] = [of(this.#samples.slice(0, compared)), of(this.#samples.slice(-compared))];
    const { share, bytes } = TOLERANCE[what];
    const limit = start * (1 + share) + bytes;
    const mib = (value) => `${(value / MIB).toFixed(0)} MiB`;
    return { text: `${mib(start)} → ${mib(end)}, limit ${mib(limit)}`, holds: end <= limit };
  }
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
