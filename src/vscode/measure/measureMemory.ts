import * as v from 'valibot';
import type * as vscode from 'vscode';
import { measureDefaults } from '../../core/measuring/measureDefaults.ts';
import type { MeasureForm } from '../../shared/measuring.ts';
import { measureFormSchema } from './measureMessage.ts';

const key = 'measure.form';

/** The last values of the form, for the next time it's opened. */
export class MeasureMemory {
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;

  constructor(state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#state = state;
  }

  form(): MeasureForm {
    const parsed = v.safeParse(measureFormSchema, this.#state.get(key));
    return parsed.success ? parsed.output : measureDefaults;
  }

  async keep(form: MeasureForm): Promise<void> {
    await this.#state.update(key, form);
  }
}
