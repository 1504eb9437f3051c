import { activePage, admin, expect, expectAccessible, logIn, quietTest as test } from './desk.ts';

test('a key of the gateway is added, issued, narrowed and revoked', async ({ page }) => {
  await logIn(page, admin, '/config');
  await activePage(page).getByRole('button', { name: '网关密钥' }).click();
  await expect(activePage(page).getByText('没有密钥。可为撮合')).toBeVisible();
  await activePage(page).getByRole('button', { name: '新增密钥' }).click();
  const dialog = page.getByRole('dialog', { name: '新增密钥' });
  await dialog.getByLabel('名称').fill('撮合引擎');
  await dialog.getByRole('checkbox', { name: '现货委托' }).check();
  await dialog.getByRole('checkbox', { name: '接收平台指令' }).check();
  await dialog.getByLabel('来源地址').fill('10.0.0.0/33');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '保存密钥' }).click();
  await expect(dialog.getByText('10.0.0.0/33 不是 IP 地址或网段')).toBeVisible();
  await dialog.getByLabel('来源地址').fill('10.0.0.0/8\n2001:db8::7');
  await dialog.getByRole('button', { name: '保存密钥' }).click();

  const row = activePage(page)
    .getByRole('table', { name: '网关密钥' })
    .getByRole('row', { name: /撮合引擎/ });
  await expect(row).toContainText('现货委托、接收平台指令');
  await expect(row).toContainText('10.0.0.0/8、2001:db8::7');
  await expect(row).toContainText('未签发');
  await row.getByRole('button', { name: '签发' }).click();
  const secret = page.getByRole('dialog', { name: /的签名密钥/ });
  await expect(secret.getByLabel('签名密钥', { exact: true })).toHaveText(/^[0-9a-f]{64}$/);
  await expectAccessible(page);
  await secret.getByRole('button', { name: '已保存，关闭' }).click();
  await expect(row).toContainText('有效');
  await expect(row.getByRole('button', { name: '签发' })).toBeHidden();

  await row.getByRole('button', { name: '编辑' }).click();
  const edit = page.getByRole('dialog', { name: '编辑密钥：撮合引擎' });
  await edit.getByRole('checkbox', { name: '接收平台指令' }).uncheck();
  await edit.getByRole('button', { name: '保存密钥' }).click();
  await expect(row).not.toContainText('接收平台指令');
  await row.getByRole('button', { name: '吊销' }).click();
  await page
    .getByRole('tooltip')
    .getByRole('button', { name: /确\s?定/ })
    .click();
  await expect(row).toContainText('已吊销');
  await expect(row.getByRole('button')).toHaveCount(0);
});
