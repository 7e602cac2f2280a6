/** What the benchmark asks a process of its own to do with checks, in a folder that holds them. */
export interface ChecksTask {
  /** Of all files, and of what Parlance keeps. */
  readonly workspace: string;
  readonly storage: string;
  /**
   * `seed`: run all checks, so that there are results. `open`: read everything, and show it. `parse`: only read the YAML
   * files, as plain data. `run`: run all checks while everything is shown. `send`: only send the same requests, and
   * write the same record.
   */
  readonly work: 'seed' | 'open' | 'parse' | 'run' | 'send';
}

/** CPU time of the process, in milliseconds. */
export interface ChecksReport {
  /** Of `open`: until the Testing view has its rows, and the editor its marks and lines. */
  readonly cpuMs: number;
  /** Of `open`: the table of results, in a tab of its own. */
  readonly tableCpuMs?: number;
  /** Of `open`: all files again, as before each run. */
  readonly againCpuMs?: number;
  /** Of `run` and `send`: how long it was measured, in milliseconds. */
  readonly wallMs: number;
  /** What was shown or sent, to check that nothing is missing. */
  readonly cases: number;
  readonly rows: number;
  readonly results: number;
}
