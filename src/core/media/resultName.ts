/**
 * The name of a result's file.
 * @param mark eight hexadecimal digits, to tell it apart from an older file of the same output
 */
export function resultName(run: string, output: number, ending: string, mark?: string): string {
  return `${run}-${output}${mark === undefined ? '' : `.${mark}`}.${ending}`;
}

/** Every name that `resultName` returns, and nothing that leaves the folder. */
export const resultNames = /^[\w-]{1,80}(\.[0-9a-f]{8})?\.\w{2,4}$/;
