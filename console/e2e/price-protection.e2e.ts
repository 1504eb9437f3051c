import type { Page } from '@playwright/test';
import type { PriceProtectionRow } from '@hengtai/contract/risk/price-protection/schema';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs, waitForRows, row } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

/** Creates a market that the simulator does not trade, with a price of 100. */
async function createMarket(page: Page): Promise<{ id: number; name: string }> {
  const name = `P${Date.now().toString(36).toUpperCase()}`;
  const settings = {
    marketName: name,
    icon: '',
    spot: 1,
    future: 1,
    second: 0,
    ieo: 0,
    pricePrecision: 2,
    amountPrecision: 8,
    minAmount: '0',
    maxAmount: '0',
    makerFee: '0',
    takerFee: '0',
    maxLeverage: 1,
    maintenanceRate: '0.005',
    withdrawFee: '0',
    withdrawMin: '0',
    withdrawMax: '0',
    rechargeState: 1,
    withdrawState: 1,
    networks: [],
    sort: 500,
    state: 1,
  };
  const { data } = await callAs(page, admin, 'POST', 'market/save', settings);
  await sendPrice(name, '100');
  return { id: (data as { id: number }).id, name };
}
const sendPrice = (market: string, price: string) =>
  sendEvents({ type: 'tick', data: { market, price, volume: '1', at: Date.now() } });

const SPOT = 1;
const rowKeyOf = ({ id }: { id: number }) => id * 4 + SPOT;

async function fetchPriceProtection(
  page: Page,
  { id, name }: { id: number; name: string },
): Promise<PriceProtectionRow | undefined> {
  const { data } = await callAs(page, admin, 'GET', 'market/plan/list', { marketName: name, marketType: SPOT });
  return (data as { list: PriceProtectionRow[] }).list.find((one) => one.id === id);
}

test('a price outside the band halts the market, and an operator resumes it', async ({ page }) => {
  const market = await createMarket(page);
  await logIn(page, admin, `/plan?marketName=${market.name}&marketType=1`);
  await waitForRows(page);
  const marketRow = row(page, rowKeyOf(market));
  await marketRow.getByRole('button', { name: '设置' }).click();
  const modal = dialog(page, new RegExp(`风控计划 · ${market.name} 现货`));
  const save = modal.getByRole('button', { name: '保存', exact: true });
  await expect(modal.getByRole('textbox', { name: '参考价' })).toHaveValue('100');
  await modal.getByRole('textbox', { name: '上限' }).fill('110');
  await modal.getByRole('textbox', { name: '下限' }).fill('100');
  await expect(modal).toContainText('下限须小于参考价');
  await expect(save).toBeDisabled();
  await modal.getByRole('textbox', { name: '下限' }).fill('90');
  await expect(modal.getByRole('img', { name: /上限 110，参考 100，下限 90/ })).toBeVisible();
  await expectAccessible(page);
  await save.click();
  await expect(marketRow).toContainText('监控中');

  await sendPrice(market.name, '120');
  await expect(marketRow).toContainText('已触发', { timeout: 20_000 });
  await marketRow.getByRole('button', { name: '详情' }).click();
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer).toContainText('现货交易已暂停');
  await expect(drawer).toContainText('120 USDT');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: '恢复' }).click();
  const resumeDialog = dialog(page, '恢复交易');
  await expect(resumeDialog.getByRole('button', { name: '恢复交易' })).toBeDisabled();
  await resumeDialog.getByRole('button', { name: '误触发' }).click();
  await resumeDialog.getByRole('button', { name: '恢复交易' }).click();
  await expect(drawer).toContainText('成交价离开区间时自动暂停交易');
  expect((await fetchPriceProtection(page, market))?.planState).toBe(1);
});

test(
  'an agent sees the markets granted to it and halts one with a reason',
  { tag: '@short' },
  async ({ page, browser }) => {
    const market = await createMarket(page);
    const agent = await newOperator(page, [8]);
    await logIn(page, admin, `/plan?marketName=${market.name}&marketType=1`);
    await waitForRows(page);
    await row(page, rowKeyOf(market)).getByRole('button', { name: '授权' }).click();
    const grantDialog = dialog(page, new RegExp(`授权 · ${market.name}`));
    await grantDialog.getByLabel('添加代理').fill(agent.account);
    await page.getByTitle(agent.account).first().click();
    await expect(grantDialog.getByRole('list', { name: '已选代理' })).toContainText(agent.account);
    await grantDialog.getByRole('button', { name: '保存授权' }).click();
    await expect(grantDialog).toHaveCount(0);

    const agentContext = await browser.newContext();
    const agentPage = await agentContext.newPage();
    await logIn(agentPage, agent, '/plan');
    await waitForRows(agentPage);
    const marketRow = row(agentPage, rowKeyOf(market));
    await expect(activePage(agentPage).locator('.ant-table-row[data-row-key]')).toHaveCount(2);
    await expect(marketRow.getByRole('button', { name: '授权' })).toHaveAttribute('aria-disabled', 'true');
    await marketRow.getByRole('button', { name: '暂停' }).click();
    const haltDialog = dialog(agentPage, '暂停交易');
    await haltDialog.getByLabel('暂停时长').fill('1441');
    await expect(haltDialog).toContainText('暂停时长为 1–1440 分钟');
    await haltDialog.getByLabel('暂停时长').fill('3');
    await haltDialog.getByRole('button', { name: '系统维护' }).click();
    await haltDialog.getByRole('button', { name: '暂停交易' }).click();
    await expect(marketRow).toContainText('已触发');
    expect(await fetchPriceProtection(page, market)).toMatchObject({ planState: 2, haltedBy: agent.account });
    await agentContext.close();
  },
);
