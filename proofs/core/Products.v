(* Products: rs_product(), rs_wide_product(), rs_muldiv() and the leading bits of csrc/numerics.c
   and numerics.h. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model Enclosures Numerics.
Open Scope Z_scope.

(** * Products *)

Lemma half_spec x : x = shr x 64 * 2 ^ 64 + half x /\ 0 <= half x < 2 ^ 64.
Proof.
  unfold half, shr; split; [|apply Z.mod_pos_bound; lia].
  pose proof (Z.div_mod x (2 ^ 64)); lia.
Qed.
Lemma shr_64 x n : 0 <= x < 2 ^ (64 + n) -> 0 <= n -> 0 <= shr x 64 < 2 ^ n.
Proof.
  intros H N; split; [apply shr_nonneg; lia|]; pose proof (shr_lt x (64 + n) 64 ltac:(lia) H).
  replace (64 + n - 64) with n in H0 by lia; exact H0.
Qed.
Lemma wrap_half x : half (wrap x) = half x.
Proof.
  unfold half, wrap; symmetry; apply Znumtheory.Zmod_div_mod; try lia; exists (2 ^ 64); reflexivity.
Qed.

(** RS-NUM-10: the product of two words of 120 bits, in two words; no sum on the way leaves 128 bits
    *)
Theorem words_of_product_exact a b : 0 <= a < 2 ^ 120 -> 0 <= b < 2 ^ 120 ->
  let (high, lower) := words_of_product a b in a * b = high * 2 ^ 128 + lower /\ word lower /\ 0 <=
    high < 2 ^ 112.
Proof.
  intros A B; unfold words_of_product.
  destruct (half_spec a) as [EA HA], (half_spec b) as [EB HB];
    pose proof (shr_64 a 56 A ltac:(lia)) as A1;
    pose proof (shr_64 b 56 B ltac:(lia)) as B1.
  set (a0 := half a) in *; set (a1 := shr a 64) in *; set (b0 := half b) in *;
    set (b1 := shr b 64) in *.
  unfold mul; rewrite (wrap_small (a0 * b0)), (wrap_small (a0 * b1)), (wrap_small (a1 * b0)),
    (wrap_small (a1 * b1)) by (unfold
    word; nia).
  destruct (half_spec (a0 * b0)) as [E0 H0]; pose proof (shr_64 (a0 * b0) 64 ltac:(nia) ltac:(lia))
    as H1.
  set (l0 := half (a0 * b0)) in *; set (l1 := shr (a0 * b0) 64) in *.
  unfold add; rewrite (wrap_small (a0 * b1 + a1 * b0)) by (unfold word; nia).
  assert (0 <= a0 * b1 + a1 * b0 + l1 < 2 ^ 122) as M by nia;
    rewrite (wrap_small (a0 * b1 + a1 * b0 + l1)) by (unfold word;
    lia).
  set (middle := a0 * b1 + a1 * b0 + l1) in *; destruct (half_spec middle) as [EM HM];
    pose proof (shr_64 middle 64 ltac:(lia) ltac:(lia)) as M1.
  assert (0 <= a1 * b1 + shr middle 64 < 2 ^ 113) as HH by nia; rewrite wrap_small by (unfold word;
    lia).
  assert (shl middle 64 = half middle * 2 ^ 64) as S.
  { unfold shl, wrap; rewrite EM at 1; replace ((shr middle 64 * 2 ^ 64 + half middle) * 2 ^ 64)
    with (half middle * 2 ^ 64 +
    shr middle 64 * 2 ^ 128) by ring.
    rewrite Z.mod_add by lia; apply Z.mod_small; lia. }
  rewrite S, lor_add by lia; assert (a * b = (a1 * b1 + shr middle 64) * 2 ^ 128 + (half middle * 2
    ^ 64 + l0)) as P by nia.
  split; [exact P|]; split; [unfold word; lia|]; split; [lia|]; assert (a * b < 2 ^ 240) by nia;
    nia.
Qed.

(** What is cut of a product that has two words *)
Lemma cut_product high lower e n : 1 <= e <= 120 -> word lower -> 0 <= high -> high * 2 ^ 128 +
  lower < 2 ^ n -> 0 <= n <= e +
  120 ->
  Z.lor (shl high (128 - e)) (shr lower e) = (high * 2 ^ 128 + lower) / 2 ^ e.
Proof.
  intros E L H M N; destruct (shr_spec lower e ltac:(lia)) as (r & F & R);
    pose proof (pow_pos e ltac:(lia)) as P.
  pose proof (pow_pos (128 - e) ltac:(lia)) as Q.
  assert (2 ^ 128 = 2 ^ (128 - e) * 2 ^ e) as T by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  pose proof (shr_nonneg lower e ltac:(lia) ltac:(unfold word in L; lia)) as K.
  pose proof (shr_lt lower 128 e ltac:(lia) L) as K'.
  assert (high * 2 ^ (128 - e) < 2 ^ 120) as U.
  { assert (2 ^ n <= 2 ^ 120 * 2 ^ e) by (rewrite <- Z.pow_add_r by lia; apply pow_le; lia);
    rewrite T in M; unfold word in L;
    nia. }
  unfold shl; rewrite wrap_small by (unfold word; nia); rewrite lor_add by lia.
  apply Z.div_unique with r; [left; lia|]; rewrite T; lia.
Qed.

Definition few x := 0 <= low x < 2 ^ 120 /\ word (slack x).
(** The numbers of a product: 120 bits of each *)
Definition first_120 x y := if negb (shr (Z.lor (low x) (low y)) 120 =? 0) then narrowed x else x.
Lemma first_120_spec x y : words x -> words y -> let a := first_120 x y in
  few a /\ (forall r, holds x r -> holds a r) /\ exponent x <= exponent a <= exponent x + 8.
Proof.
  intros WX WY; unfold first_120; destruct (Z.eqb_spec (shr (Z.lor (low x) (low y)) 120) 0) as
    [E|E]; cbn [negb].
  - destruct WX as [LX SX], WY as [LY SY]; unfold word in LX, LY; apply shr_0 in E;
    [|lia|apply lor_nonneg; lia].
    apply lor_lt in E; try lia; split; [split; [lia|exact SX]|split; [auto|lia]].
  - destruct (narrowed_bits x WX) as (B & S & X); split; [split; assumption|split; [|exact X]].
    intros r; apply narrowed_holds; assumption.
Qed.
Lemma lor_comm_120 x y : first_120 y x = if negb (shr (Z.lor (low x) (low y)) 120 =? 0) then
  narrowed y else y.
Proof. unfold first_120; rewrite Z.lor_comm; reflexivity. Qed.

(** The error bound of a product, of factors of 120 bits *)
Definition product_slack more a b :=
  let e := Z.max (bits (low a) + bits (low b) - 120) 0 in
  slack a * 2 ^ (bits (low b) - e) + slack b * 2 ^ (bits (low a) + 1 - e) + (if e =? 0 then 0 else
    more).
Lemma product_few a b : few a -> few b -> 0 < low a -> 0 < low b -> slack a <= low a -> slack b <=
  low b ->
  let e := Z.max (bits (low a) + bits (low b) - 120) 0 in
  0 <= bits (low b) - e /\ 0 <= bits (low a) - e /\ 0 <= product_slack 1 a b < 2 ^ 122 /\
  (low a + slack a) * (low b + slack b) <= (low a * low b / 2 ^ e + product_slack 1 a b) * 2 ^ e.
Proof.
  intros [A SA] [B SB] PA PB KA KB e; unfold product_slack; fold e.
  destruct (bits_spec (low a) PA) as [A1 [_ A2]], (bits_spec (low b) PB) as [B1 [_ B2]].
  pose proof (bits_le (low a) 120 ltac:(lia) A) as A3; pose proof (bits_le (low b) 120 ltac:(lia)
    B) as B3.
  set (p := bits (low a)) in *; set (q := bits (low b)) in *.
  assert (0 <= q - e /\ 0 <= p - e /\ 0 <= e /\ p + q <= 120 + e) as (Q & P & E & PQ) by (unfold e;
    lia); split; [exact Q|];
    split; [exact P|].
  unfold word in SA, SB.
  assert (2 ^ p * 2 ^ (q - e) <= 2 ^ 120) as X by (rewrite <- Z.pow_add_r by lia; apply pow_le;
    lia).
  assert (2 ^ q * 2 ^ (p + 1 - e) <= 2 ^ 121) as Y by (rewrite <- Z.pow_add_r by lia; apply pow_le;
    lia).
  pose proof (pow_pos (q - e) Q); pose proof (pow_pos (p + 1 - e) ltac:(lia)).
  assert (slack a * 2 ^ (q - e) < 2 ^ 120) by nia; assert (slack b * 2 ^ (p + 1 - e) < 2 ^ 121) by
    nia.
  split; [destruct (e =? 0); nia|].
  pose proof (pow_pos e E) as PE; pose proof (Z.div_mod (low a * low b) (2 ^ e) ltac:(lia)) as D;
    pose proof (Z.mod_pos_bound (low a * low b) (2 ^ e) PE) as M.
  assert (2 ^ (q - e) * 2 ^ e = 2 ^ q) as Q' by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (2 ^ (p + 1 - e) * 2 ^ e = 2 * 2 ^ p) as P' by (rewrite <- Z.pow_add_r by lia;
    replace (p + 1 - e + e) with (1 + p) by lia; rewrite Z.pow_add_r by lia; reflexivity).
  assert (low a * low b mod 2 ^ e <= (if e =? 0 then 0 else 1) * 2 ^ e).
  { destruct (Z.eqb_spec e 0) as [->|]; [rewrite Z.mod_1_r; lia|lia]. }
  assert ((low a + slack a) * (low b + slack b) <= low a * low b + slack a * 2 ^ q + slack b * (2 *
    2 ^ p)).
  { assert (slack a * low b <= slack a * 2 ^ q) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (slack b * (low a + slack a) <= slack b * (2 * 2 ^ p)) by (apply Z.mul_le_mono_nonneg_l;
      lia); lia. }
  rewrite !Z.mul_add_distr_r, <- !Z.mul_assoc, Q', P'; lia.
Qed.

(** RS-NUM-10: the error bound of a product; a factor that is 0 without error makes the product 0
    without error, (a) *)
Theorem product_holds x y r s : words x -> words y -> holds x r -> holds y s ->
  let a := first_120 x y in let b := first_120 y x in
  is_zero a = true \/ is_zero b = true \/ (slack a <= low a /\ slack b <= low b) -> holds (product
    x y) (r * s).
Proof.
  intros WX WY HX HY a b K; unfold product; rewrite <- lor_comm_120; fold (first_120 x y); fold a b.
  destruct (first_120_spec x y WX WY) as (FA & A & _), (first_120_spec y x WY WX) as (FB & B & _).
  apply A in HX; apply B in HY; fold a in HX, FA; fold b in HY, FB; clearbody a b.
  assert (forall c, few c -> words c) as FW by (intros c [[] ?]; split; [split; lia|assumption]).
  destruct (is_zero a) eqn:ZA.
  { apply (zero_holds a) in HX; [|assumption|auto]; cbn [orb]; rewrite HX, Rmult_0_l; unfold holds;
    cbn; lra. }
  destruct (is_zero b) eqn:ZB.
  { apply (zero_holds b) in HY; [|assumption|auto]; cbn [orb]; rewrite HY, Rmult_0_r; unfold holds;
    cbn; lra. }
  destruct K as [K|[K|[KA KB]]]; try discriminate; cbn [orb].
  assert (0 < low a) as PA by (destruct (not_zero a (FW a FA) ZA); lia).
  assert (0 < low b) as PB by (destruct (not_zero b (FW b FB) ZB); lia).
  destruct (Z.ltb_spec (low a) (slack a)); [lia|]; destruct (Z.ltb_spec (low b) (slack b)); [lia|];
    cbn [orb].
  pose proof (product_few a b FA FB PA PB KA KB) as PF; cbn zeta in PF.
  assert ((if 120 <? bits (low a) + bits (low b) then bits (low a) + bits (low b) - 120 else 0) =
    Z.max (bits (low a) + bits (low b) - 120) 0) as -> by (destruct (Z.ltb_spec 120 (bits (low a) +
      bits (low b))); lia).
  unfold product_slack in PF; set (e := Z.max (bits (low a) + bits (low b) - 120) 0) in *.
  destruct PF as (Q & P & S & U), FA as [A1 A2], FB as [B1 B2];
    pose proof (pow_pos e ltac:(lia)) as PE.
  pose proof (words_of_product_exact (low a) (low b) A1 B1) as W;
    destruct (words_of_product (low a) (low b)) as [high lower].
  destruct W as (W & WL & WH).
  pose proof (bits_le (low a) 120 ltac:(lia) A1) as A3; pose proof (bits_le (low b) 120 ltac:(lia)
    B1) as B3.
  destruct (bits_spec (low a) PA) as [A4 [_ A5]], (bits_spec (low b) PB) as [B4 [_ B5]].
  assert (low a * low b < 2 ^ (bits (low a) + bits (low b))) as L by (rewrite Z.pow_add_r by lia;
    nia).
  assert ((if e =? 0 then lower else Z.lor (shl high (128 - e)) (shr lower e)) = low a * low b / 2
    ^ e) as ->.
  { destruct (Z.eqb_spec e 0) as [E|E].
    - rewrite E, Z.div_1_r; pose proof (pow_le (bits (low a) + bits (low b)) 120 ltac:(lia));
      unfold word in WL; nia.
    - rewrite W; apply (cut_product high lower e (bits (low a) + bits (low b))); try lia;
      assumption. }
  unfold add, shl; pose proof (pow_pos (bits (low b) - e) Q) as Q1;
    pose proof (pow_pos (bits (low a) + 1 - e) ltac:(lia)) as P1.
  unfold word in A2, B2; assert (0 <= slack a * 2 ^ (bits (low b) - e)) by nia;
    assert (0 <= slack b * 2 ^ (bits (low a) + 1 - e)) by nia.
  assert (0 <= if e =? 0 then 0 else 1) by (destruct (e =? 0); lia);
    set (one := if e =? 0 then 0 else 1) in *.
  set (va := slack a * 2 ^ (bits (low b) - e)) in *; set (vb := slack b * 2 ^ (bits (low a) + 1 -
    e)) in *.
  rewrite (wrap_small va) by (unfold word; lia); rewrite (wrap_small vb) by (unfold word; lia).
  rewrite (wrap_small (va + vb)) by (unfold word; lia); rewrite (wrap_small (va + vb + one)) by
    (unfold word; lia).
  set (t := va + vb + one) in *.
  unfold holds in *; cbn [low slack exponent]; rewrite !unit_plus, (unit_whole e) by lia.
  pose proof (unit_pos (exponent a)) as UA; pose proof (unit_pos (exponent b)) as UB.
  assert (low a * low b / 2 ^ e * 2 ^ e <= low a * low b) as D by (pose proof (shr_mul (low a * low
    b) e ltac:(lia));
    assumption).
  apply IZR_le in U, D; rewrite !mult_IZR in U, D; pose proof (IZR_lt _ _ PA);
    pose proof (IZR_lt _ _ PB).
  pose proof (IZR_le _ _ (proj1 A2)) as SA; pose proof (IZR_le _ _ (proj1 B2)) as SB;
    rewrite (plus_IZR (low a)), (plus_IZR (low b)) in *.
  set (ua := unit_of (exponent a)) in *; set (ub := unit_of (exponent b)) in *.
  assert (0 < ua * ub)%R by (apply Rmult_lt_0_compat; assumption).
  assert (0 <= IZR (low a) * ua)%R by (apply Rmult_le_pos; lra);
    assert (0 <= IZR (low b) * ub)%R by (apply Rmult_le_pos; lra).
  split.
  - apply Rle_trans with ((IZR (low a) * ua) * (IZR (low b) * ub))%R; [|apply Rmult_le_compat; lra].
    replace (IZR (low a * low b / 2 ^ e) * (ua * ub * IZR (2 ^ e)))%R with (IZR (low a * low b / 2
      ^ e) * IZR (2 ^ e) * (ua *
      ub))%R by ring.
    replace (IZR (low a) * ua * (IZR (low b) * ub))%R with (IZR (low a) * IZR (low b) * (ua *
      ub))%R by ring.
    apply Rmult_le_compat_r; lra.
  - apply Rle_trans with (((IZR (low a) + IZR (slack a)) * ua) * ((IZR (low b) + IZR (slack b)) *
    ub))%R;
    [apply Rmult_le_compat; lra|].
    replace (IZR (low a * low b / 2 ^ e + t) * (ua * ub * IZR (2 ^ e)))%R with (IZR (low a * low b
      / 2 ^ e + t) * IZR (2 ^ e) *
      (ua * ub))%R by ring.
    replace ((IZR (low a) + IZR (slack a)) * ua * ((IZR (low b) + IZR (slack b)) * ub))%R with
      ((IZR (low a) + IZR (slack a)) *
      (IZR (low b) + IZR (slack b)) * (ua * ub))%R by ring.
    apply Rmult_le_compat_r; lra.
Qed.

(** Two numbers of 120 bits, of which one has an error of 1: the product needs 1 beside it. *)
Theorem product_must_fail : ~ (forall x y r s, words x -> words y -> holds x r -> holds y s ->
  slack x <= low x -> slack y <= low y -> holds (less (product x y)) (r * s)).
Proof.
  intros F; pose (x := Number (2 ^ 120 - 3) 1 0); pose (y := Number (2 ^ 120 - 1) 0 0).
  assert (holds x (IZR (2 ^ 120 - 2))) as X by (unfold holds, unit_of; cbn -[Z.pow];
    rewrite <- ?plus_IZR, !Rmult_1_r; split;
    apply IZR_le; lia).
  assert (holds y (IZR (2 ^ 120 - 1))) as Y by (unfold holds, unit_of; cbn -[Z.pow];
    rewrite <- ?plus_IZR, !Rmult_1_r; split;
    apply IZR_le; lia).
  specialize (F x y _ _ ltac:(split; split; cbn; lia) ltac:(split; split; cbn; lia) X Y ltac:(cbn;
    lia) ltac:(cbn; lia)).
  destruct F as [_ F]; unfold unit_of in F; rewrite <- mult_IZR in F.
  change (exponent (less (product x y))) with (exponent (product x y)) in F;
    replace (exponent (product x y)) with 120 in F by (vm_compute; reflexivity).
  rewrite <- (IZR_Zpower radix2) in F by lia; rewrite <- mult_IZR in F; apply le_IZR in F;
    vm_compute in F; apply F;
    reflexivity.
Qed.
(** The marker of rs_product() holds next to nothing: what is not known must not be added up. *)
Theorem unknown_is_no_number : ~ (forall x y r s, words x -> words y -> holds x r -> holds y s ->
  holds (product x y) (r * s)).
Proof.
  intros F; pose (x := Number 1 2 200); pose (y := Number 1 0 0).
  assert (holds x (unit_of 200)) as X by (pose proof (unit_pos 200); unfold holds; cbn -[unit_of];
    lra).
  assert (holds y 1) as Y by (unfold holds, unit_of; cbn; lra).
  specialize (F x y _ _ ltac:(split; split; cbn; lia) ltac:(split; split; cbn; lia) X Y);
    rewrite Rmult_1_r in F.
  destruct F as [_ F]; unfold unit_of in F; cbn in F; lra.
Qed.

(** RS-NUM-8, RS-NUM-10, RS-NUM-15: floor(gain discounts / 2^96), for gain < 2^97 and discounts <
    2^127 *)
Theorem wide_product_exact gain discounts : 0 <= gain < 2 ^ 97 -> 0 <= discounts < 2 ^ 127 ->
  wide_product gain discounts = gain * discounts / 2 ^ 96.
Proof.
  intros G D; unfold wide_product.
  destruct (half_spec gain) as [EG HG], (half_spec discounts) as [ED HD].
  pose proof (shr_64 gain 33 G ltac:(lia)) as G1; pose proof (shr_64 discounts 63 D ltac:(lia)) as
    D1.
  set (g0 := half gain) in *; set (g1 := shr gain 64) in *; set (d0 := half discounts) in *;
    set (d1 := shr discounts 64) in *.
  assert (0 <= g0 * d0 < 2 ^ 128) as P0 by nia; assert (0 <= g1 * d0 < 2 ^ 97) as P1 by nia.
  assert (0 <= g0 * d1 < 2 ^ 127) as P2 by nia; assert (0 <= g1 * d1 < 2 ^ 96) as P3 by nia.
  unfold mul; rewrite (wrap_small (g0 * d0)), (wrap_small (g0 * d1)), (wrap_small (g1 * d0)),
    (wrap_small (g1 * d1)) by (unfold
    word; lia).
  destruct (half_spec (g0 * d0)) as [E0 H0]; pose proof (shr_64 (g0 * d0) 64 P0 ltac:(lia)) as H1.
  set (l0 := half (g0 * d0)) in *; set (l1 := shr (g0 * d0) 64) in *.
  unfold add; rewrite (wrap_small (g1 * d0 + g0 * d1)) by (unfold word; lia).
  rewrite (wrap_small (g1 * d0 + g0 * d1 + l1)) by (unfold word; lia).
  set (middle := g1 * d0 + g0 * d1 + l1) in *; destruct (shr_spec middle 32 ltac:(lia)) as (r & EM
    & R).
  pose proof (shr_nonneg middle 32 ltac:(lia) ltac:(lia)).
  unfold shl; rewrite (wrap_small (g1 * d1 * 2 ^ 32)) by (unfold word; lia).
  assert (gain * discounts = g1 * d1 * 2 ^ 128 + middle * 2 ^ 64 + l0) as P.
  { transitivity (g1 * d1 * 2 ^ 128 + (g1 * d0 + g0 * d1) * 2 ^ 64 + g0 * d0); [rewrite EG, ED;
    ring|unfold middle; lia]. }
  assert (gain * discounts = (shr middle 32 + g1 * d1 * 2 ^ 32) * 2 ^ 96 + (r * 2 ^ 64 + l0)) as Q
    by lia.
  assert (gain * discounts < 2 ^ 97 * 2 ^ 127) by (apply Z.mul_lt_mono_nonneg; lia).
  assert (0 <= g1 * d1 * 2 ^ 32) by lia; set (K := shr middle 32 + g1 * d1 * 2 ^ 32) in *.
  rewrite wrap_small by (unfold word; lia); apply Z.div_unique with (r * 2 ^ 64 + l0); lia.
Qed.
(** With gains of 99 bits it would not be exact. *)
Theorem wide_product_must_fail : ~ (forall gain discounts, 0 <= gain < 2 ^ 99 -> 0 <= discounts < 2
  ^ 127 ->
  wide_product gain discounts = gain * discounts / 2 ^ 96).
Proof. intros F; specialize (F (2 ^ 99 - 1) (2 ^ 127 - 1) ltac:(lia) ltac:(lia)); vm_compute in F;
  discriminate. Qed.

(** RS-NUM-9: floor(x a / b), for a <= b < 2^32 *)
Theorem muldiv_exact x a b : word x -> 0 <= a <= b -> 0 < b < 2 ^ 32 -> muldiv x a b = x * a / b.
Proof.
  intros [X X'] A B; unfold muldiv; destruct (Z.eqb_spec a b) as [->|N]; [symmetry;
    apply Z.div_mul; lia|].
  pose proof (Z.div_mod x b ltac:(lia)) as D; pose proof (Z.mod_pos_bound x b ltac:(lia)) as M;
    pose proof (Z.div_pos x b X ltac:(lia)) as Q.
  assert (0 <= x / b * a <= x) by nia; assert (0 <= x mod b * a < 2 ^ 64) as T by nia.
  unfold half; rewrite (Z.mod_small (x mod b)) by lia; rewrite (Z.mod_small _ _ T).
  pose proof (Z.div_mod (x mod b * a) b ltac:(lia)) as D'; pose proof (Z.mod_pos_bound (x mod b *
    a) b ltac:(lia)) as M'.
  pose proof (Z.div_pos (x mod b * a) b ltac:(lia) ltac:(lia)).
  unfold mul, add; rewrite (wrap_small (x / b * a)) by (unfold word; lia).
  assert (x * a = b * (x / b * a + x mod b * a / b) + (x mod b * a) mod b) as E by nia.
  rewrite wrap_small by (unfold word; nia); apply Z.div_unique with ((x mod b * a) mod b); lia.
Qed.
Theorem muldiv_must_fail : ~ (forall x a b, word x -> 0 <= a <= b -> 0 < b < 2 ^ 34 -> muldiv x a b
  = x * a / b).
Proof. intros F; specialize (F (2 ^ 128 - 1) (2 ^ 34 - 7) (2 ^ 34 - 5) ltac:(unfold word;
  lia) ltac:(lia) ltac:(lia));
  vm_compute in F; discriminate. Qed.

(** * Leading bits *)

(** RS-NUM-19: the leading 64 bits of a number, where they lack less than 16 *)
Theorem leading_of_holds x r : words x -> 0 < low x -> slack (leading_of x) < 16 -> holds x r ->
  holds (leading_of x) r /\ 2 ^ 63 <= low (leading_of x) < 2 ^ 64 /\ 0 <= slack (leading_of x).
Proof.
  intros [[L L'] [S S']] P; destruct (bits_spec (low x) P) as (B1 & B2 & B3);
    pose proof (bits_le (low x) 128 ltac:(lia) ltac:(lia)) as B4.
  unfold leading_of; destruct (Z.leb_spec (bits (low x) - 64) 0) as [E|E]; cbn [low slack exponent].
  - destruct (Z.eqb_spec (slack x) 0) as [Z0|]; [|lia]; intros _ H.
    assert (2 ^ 63 <= low x * 2 ^ (- (bits (low x) - 64)) < 2 ^ 64) as R.
    { set (p := bits (low x)) in *; pose proof (pow_pos (- (p - 64)) ltac:(lia)).
      replace (2 ^ 63) with (2 ^ (p - 1) * 2 ^ (- (p - 64))) by (rewrite <- Z.pow_add_r by lia;
        f_equal; lia).
      replace (2 ^ 64) with (2 ^ p * 2 ^ (- (p - 64))) by (rewrite <- Z.pow_add_r by lia; f_equal;
        lia); split;
        [apply Z.mul_le_mono_nonneg_r|apply Z.mul_lt_mono_pos_r]; lia. }
    unfold half; rewrite Z.mod_small by lia; split; [|lia].
    apply (holds_finer x _ (- (bits (low x) - 64))); cbn [low slack exponent]; try lia; exact H.
  - assert (shr (slack x) (bits (low x) - 64) < 2 ^ 127) as SS.
    { pose proof (shr_lt (slack x) 128 (bits (low x) - 64) ltac:(lia) ltac:(lia));
      pose proof (pow_le (128 - (bits (low x) - 64)) 127 ltac:(lia)); lia. }
    pose proof (shr_nonneg (slack x) (bits (low x) - 64) ltac:(lia) S).
    unfold add; rewrite (wrap_small (_ + 2)) by (unfold word; lia);
      destruct (Z.ltb_spec (shr (slack x) (bits (low x) - 64) + 2) (2 ^ 64 - 1)); [|lia].
    intros F H'; set (e := bits (low x) - 64) in *; destruct (shr_spec (low x) e ltac:(lia)) as (r0
      & R1 & R2);
      pose proof (pow_pos e ltac:(lia)) as PE.
    assert (2 ^ 63 <= shr (low x) e < 2 ^ 64) as R.
    { replace (bits (low x)) with (64 + e) in * by (unfold e; lia);
      replace (64 + e - 1) with (63 + e) in B2 by lia.
      rewrite Z.pow_add_r in B2, B3 by lia; nia. }
    unfold half; rewrite Z.mod_small by lia; split; [|lia].
    apply (holds_within x _ e); cbn [low slack exponent]; [lia|unfold e; lia|apply shr_mul;
      lia|apply two_units; lia|exact H'].
Qed.
Theorem leading_of_must_fail : ~ (forall x r, words x -> 0 < low x -> slack (leading_of x) < 16 ->
  holds x r -> holds (less
  (leading_of x)) r).
Proof.
  intros F; destruct (not_held (Number (2 ^ 66 - 1) 3 0) (less (leading_of (Number (2 ^ 66 - 1) 3
    0))) 2) as (r & A & B);
    [lia|reflexivity|cbn; lia|vm_compute; reflexivity|]; apply B, F; [split; split; cbn; lia|cbn;
      lia|vm_compute;
      reflexivity|exact A].
Qed.

Definition is_leading x := 2 ^ 63 <= low x < 2 ^ 64 /\ 0 <= slack x < 16.
Lemma holds_product x y z n r s : (0 <= n)%Z -> exponent z = exponent x + exponent y + n -> 0 <=
  low x -> 0 <= low y ->
  0 <= slack x -> 0 <= slack y -> low z * 2 ^ n <= low x * low y -> (low x + slack x) * (low y +
    slack y) <= (low z + slack z)
    * 2 ^ n ->
  holds x r -> holds y s -> holds z (r * s).
Proof.
  intros N E LX LY SX SY D U HX HY; unfold holds in *; rewrite E, !unit_plus, (unit_whole n) by
    assumption.
  pose proof (unit_pos (exponent x)) as UX; pose proof (unit_pos (exponent y)) as UY.
  set (ux := unit_of (exponent x)) in *; set (uy := unit_of (exponent y)) in *.
  apply IZR_le in D, U, LX, LY; rewrite !mult_IZR in D, U; assert (0 < ux * uy)%R by (apply
    Rmult_lt_0_compat; assumption).
  assert (0 <= IZR (low x) * ux)%R by (apply Rmult_le_pos; lra);
    assert (0 <= IZR (low y) * uy)%R by (apply Rmult_le_pos; lra);
    split.
  - apply Rle_trans with (IZR (low x) * ux * (IZR (low y) * uy))%R; [|apply Rmult_le_compat; lra].
    replace (IZR (low z) * (ux * uy * IZR (2 ^ n)))%R with (IZR (low z) * IZR (2 ^ n) * (ux *
      uy))%R by ring.
    replace (IZR (low x) * ux * (IZR (low y) * uy))%R with (IZR (low x) * IZR (low y) * (ux *
      uy))%R by ring.
    apply Rmult_le_compat_r; lra.
  - apply Rle_trans with (IZR (low x + slack x) * ux * (IZR (low y + slack y) * uy))%R;
    [apply Rmult_le_compat; lra|].
    replace (IZR (low z + slack z) * (ux * uy * IZR (2 ^ n)))%R with (IZR (low z + slack z) * IZR
      (2 ^ n) * (ux * uy))%R by
      ring.
    replace (IZR (low x + slack x) * ux * (IZR (low y + slack y) * uy))%R with (IZR (low x + slack
      x) * IZR (low y + slack y) *
      (ux * uy))%R by ring.
    apply Rmult_le_compat_r; lra.
Qed.
Lemma leading_product_by_holds more x y r s : 1 <= more <= 2 -> is_leading x -> is_leading y ->
  holds x r -> holds y s ->
  holds (leading_product_by more x y) (r * s) /\ words (leading_product_by more x y).
Proof.
  intros K [X LX] [Y LY] HX HY; unfold leading_product_by, mul, add, shl, half.
  rewrite (Z.mod_small (slack x + slack y)) by lia.
  assert (0 <= low x * low y < 2 ^ 128) by nia; assert (0 <= slack x * slack y < 226) by nia.
  rewrite (wrap_small (low x * low y)) by (unfold word; lia);
    rewrite (wrap_small (slack x * slack y)) by (unfold word; lia).
  rewrite (wrap_small (_ * 2 ^ 56)) by (unfold word; lia).
  replace (shr (slack x * slack y) 8) with 0 by (symmetry; apply shr_0; lia).
  rewrite (wrap_small (_ + 0)) by (unfold word; lia); rewrite wrap_small by (unfold word; lia).
  destruct (shr_spec (low x * low y) 8 ltac:(lia)) as (t & T & T');
    pose proof (shr_nonneg (low x * low y) 8 ltac:(lia) ltac:(lia)).
  split; [|split; cbn [low slack]; unfold word; lia].
  apply (holds_product x y _ 8); cbn [low slack exponent]; try lia; try assumption.
  set (p := 2 ^ 64 - low x) in *; set (q := 2 ^ 64 - low y) in *; set (l := slack x) in *;
    set (m := slack y) in *.
  assert (t + l * m <= p * m + q * l + 256) as C.
  { assert (t = (p * q) mod 256) as ->.
    { apply Z.mod_unique with (shr (low x * low y) 8 - 2 ^ 120 + 2 ^ 56 * (p + q)); [left; lia|].
      unfold p, q; change (2 ^ 8) with 256 in T; change (2 ^ 120) with (2 ^ 56 * 2 ^ 64); lia. }
    pose proof (Z.mod_pos_bound (p * q) 256 ltac:(lia)).
    assert (0 < p /\ 0 < q) as [PP PQ] by (unfold p, q; lia); clear T.
    assert (0 <= p * m) by (apply Z.mul_nonneg_nonneg; lia); assert (0 <= q * l) by (apply
      Z.mul_nonneg_nonneg; lia).
    destruct (Z.le_gt_cases 16 p).
    { assert (l * m <= p * m) by (apply Z.mul_le_mono_nonneg_r; lia); lia. }
    destruct (Z.le_gt_cases 16 q).
    { assert (m * l <= q * l) by (apply Z.mul_le_mono_nonneg_r; lia); lia. }
    assert (0 <= p * q <= 15 * 15) by (split; [apply Z.mul_nonneg_nonneg|apply
      Z.mul_le_mono_nonneg]; lia);
      rewrite Z.mod_small by lia.
    assert (Z.abs ((p - l) * (q - m)) <= 15 * 15) by (rewrite Z.abs_mul;
      apply Z.mul_le_mono_nonneg; lia); lia. }
  replace ((shr (low x * low y) 8 + ((l + m) * 2 ^ 56 + 0 + more)) * 2 ^ 8) with (shr (low x * low
    y) 8 * 2 ^ 8 + (l + m) * 2 ^
    64 + more * 256) by ring.
  replace ((low x + l) * (low y + m)) with (low x * low y + low x * m + low y * l + l * m) by ring.
  assert (low x * m = 2 ^ 64 * m - p * m) by (unfold p; ring);
    assert (low y * l = 2 ^ 64 * l - q * l) by (unfold q; ring).
  change (2 ^ 8) with 256 in *; lia.
Qed.
(** RS-NUM-19: the product of leading bits, which lack less than 16 each *)
Theorem leading_product_holds x y r s : is_leading x -> is_leading y -> holds x r -> holds y s ->
  holds (leading_product x y) (r * s) /\ words (leading_product x y).
Proof. apply leading_product_by_holds; lia. Qed.
(** 2 is generous: 1 does, since numbers near 2^64 leave room for the product of what both lack. *)
Theorem leading_product_by_1 x y r s : is_leading x -> is_leading y -> holds x r -> holds y s ->
  holds (leading_product_by 1 x
  y) (r * s).
Proof. apply leading_product_by_holds; lia. Qed.
Theorem leading_product_must_fail : ~ (forall x y r s, is_leading x -> is_leading y -> holds x r ->
  holds y s ->
  holds (leading_product_by 0 x y) (r * s)).
Proof.
  intros F; pose (x := Number (2 ^ 64 - 1) 0 0); assert (holds x (IZR (2 ^ 64 - 1))) as H by
    (unfold holds, unit_of; cbn; lra).
  assert (is_leading x) as X by (unfold is_leading; cbn -[Z.pow]; lia);
    destruct (F x x _ _ X X H H) as [_ U]; clear F H X.
  assert (low (leading_product_by 0 x x) + slack (leading_product_by 0 x x) = (2 ^ 64 - 1) * (2 ^
    64 - 1) / 2 ^ 8) as E by
    (vm_compute; reflexivity).
  rewrite E in U; clear E; change (exponent (leading_product_by 0 x x)) with 8 in U;
    rewrite (unit_whole 8), <- !mult_IZR in U by lia.
  apply le_IZR in U; vm_compute in U; apply U; reflexivity.
Qed.
