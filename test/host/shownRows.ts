import * as vscode from 'vscode';

/** A row of a list of models. */
export interface ShownRow {
  readonly label: string;
  readonly description?: string;
  readonly model?: string;
}

/**
 * Runs `act` while lists can be read, which the API doesn't allow.
 * @param accepts selects the rows that are accepted as soon as a list is shown; by default none
 */
export async function withShownRows(
  act: (rows: () => readonly ShownRow[], hide: () => void) => Promise<void>,
  accepts?: (row: ShownRow) => boolean,
): Promise<void> {
  const { createQuickPick } = vscode.window;
  const accepted = new vscode.EventEmitter<void>();
  let rows: readonly ShownRow[] = [];
  let shown: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  const accepting: Readonly<Partial<Record<PropertyKey, () => unknown>>> | undefined = accepts && {
    onDidAccept: () => accepted.event,
    selectedItems: () => rows.filter(accepts),
    activeItems: () => rows.filter(accepts),
    show: () => () => void setTimeout(() => accepted.fire()),
  };
  Object.assign(vscode.window, {
    createQuickPick: () => {
      const pick = createQuickPick();
      shown = pick;
      return new Proxy(pick, {
        get(target, name): unknown {
          const own = accepting?.[name];
          if (own !== undefined) return own();
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
        set(target, name, value) {
          if (name === 'items') rows = value;
          return Reflect.set(target, name, value, target);
        },
      });
    },
  });
  try {
    await act(
      () => rows,
      () => shown?.hide(),
    );
  } finally {
    Object.assign(vscode.window, { createQuickPick });
    accepted.dispose();
  }
}
