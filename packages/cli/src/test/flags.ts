// The flags of `instar test` as they are parsed.
export interface TestFlags {
  readonly crd: string;
  readonly lens?: string;
  readonly module?: string;
  readonly url?: string;
  readonly caFile?: string;
  readonly insecure?: boolean;
  readonly reviewVersion: 'v1' | 'v1beta1';
  readonly timeout: number;
  readonly name?: string;
  readonly versions?: readonly string[];
  readonly samples?: string;
  readonly runs: number;
  readonly seed?: number;
  readonly batch: number;
  readonly law?: readonly string[];
  readonly skipLaw?: readonly string[];
  readonly ignoreEmpty?: boolean;
  readonly format: 'text' | 'json' | 'junit';
  readonly output?: string;
}
