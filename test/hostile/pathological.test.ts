import { assertLinear } from './parserCost.ts';
import { pathologicalInputs } from './pathologicalInputs.ts';

describe('Input that takes parsers quadratic time', function () {
  this.timeout(300_000);

  for (const [name, input] of Object.entries(pathologicalInputs)) {
    it(`costs in proportion to its length: ${name}`, () => assertLinear(input));
  }
});
