(* Floating point of 128 bits: csrc/floating.h, RS-NUM-12, and the numbers of the core that it
   becomes, RS-NUM-66. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model Enclosures Numerics Products.
Open Scope Z_scope.

Definition value x := (IZR (mantissa x) * unit_of (power x))%R.
(** RS-NUM-12: a mantissa from 2^127 to 2^128, or 0 *)
Definition normal x := mantissa x = 0 \/ 2 ^ 127 <= mantissa x < 2 ^ 128.
(** computed lacks less than a part of 2^-n of the number, and is not above it *)
Definition lacks n computed true := (true * (1 - / IZR (2 ^ n)) < computed <= true \/ computed =
  true)%R.

Lemma value_nonneg x : normal x -> (0 <= value x)%R.
Proof. intros H; apply Rmult_le_pos; [apply IZR_le; destruct H; lia|apply Rlt_le, unit_pos]. Qed.
Lemma value_0 x : mantissa x = 0 -> value x = 0%R.
Proof. intros H; unfold value; rewrite H; ring. Qed.

(** RS-NUM-12: floor(x y / 2^128); no sum on the way leaves 128 bits *)
Theorem high_product_exact x y : word x -> word y -> high_product x y = x * y / 2 ^ 128.
Proof.
  intros X Y; unfold word in X, Y; unfold high_product.
  destruct (half_spec x) as [EX HX], (half_spec y) as [EY HY];
    pose proof (shr_64 x 64 X ltac:(lia)) as X1;
    pose proof (shr_64 y 64 Y ltac:(lia)) as Y1.
  set (x0 := half x) in *; set (x1 := shr x 64) in *; set (y0 := half y) in *;
    set (y1 := shr y 64) in *.
  assert (forall p q, 0 <= p < 2 ^ 64 -> 0 <= q < 2 ^ 64 -> 0 <= p * q <= (2 ^ 64 - 1) * (2 ^ 64 -
    1)) as PR.
  { intros; split; [apply Z.mul_nonneg_nonneg; lia|apply Z.mul_le_mono_nonneg; lia]. }
  pose proof (PR x0 y0 HX HY) as P00; pose proof (PR x0 y1 HX Y1) as P01;
    pose proof (PR x1 y0 X1 HY) as P10;
    pose proof (PR x1 y1 X1 Y1) as P11.
  unfold mul; rewrite (wrap_small (x0 * y0)), (wrap_small (x0 * y1)), (wrap_small (x1 * y0)),
    (wrap_small (x1 * y1)) by (unfold
    word; lia).
  destruct (half_spec (x0 * y0)) as [E0 H0]; pose proof (shr_64 (x0 * y0) 64 ltac:(lia) ltac:(lia))
    as H1.
  set (l0 := half (x0 * y0)) in *; set (l1 := shr (x0 * y0) 64) in *.
  unfold add; rewrite (wrap_small (x0 * y1 + l1)) by (unfold word; lia);
    set (first := x0 * y1 + l1).
  assert (first = x0 * y1 + l1) as EF0 by reflexivity; clearbody first.
  destruct (half_spec first) as [EF HF]; pose proof (shr_64 first 64 ltac:(lia) ltac:(lia)) as F1.
  rewrite (wrap_small (x1 * y0 + half first)) by (unfold word; lia);
    set (second := x1 * y0 + half first).
  assert (second = x1 * y0 + half first) as ES0 by reflexivity; clearbody second.
  destruct (half_spec second) as [ES HS]; pose proof (shr_64 second 64 ltac:(lia) ltac:(lia)) as S1.
  rewrite (wrap_small (x1 * y1 + shr first 64)) by (unfold word; lia);
    rewrite wrap_small by (unfold word; lia).
  assert (x * y = (x1 * y1 + shr first 64 + shr second 64) * 2 ^ 128 + (half second * 2 ^ 64 + l0))
    as P.
  { transitivity (x1 * y1 * 2 ^ 128 + (x0 * y1 + x1 * y0) * 2 ^ 64 + x0 * y0); [rewrite EX, EY;
    ring|lia]. }
  apply Z.div_unique with (half second * 2 ^ 64 + l0); lia.
Qed.

(** From integers to the numbers: N units are lacked of T at most, of which there are 2^n N at
    least. *)
Lemma lacks_of c t n u : (0 <= n)%Z -> (0 < u)%R -> c <= t -> (t - c) * 2 ^ n < t -> lacks n (IZR c
  * u) (IZR t * u).
Proof.
  intros N U L H; left; pose proof (IZR_lt _ _ (pow_pos n N)) as P; apply IZR_lt in H;
    rewrite mult_IZR, minus_IZR in H;
    apply IZR_le in L; split.
  - apply (Rmult_lt_reg_r (IZR (2 ^ n))); [assumption|].
    replace (IZR t * u * (1 - / IZR (2 ^ n)) * IZR (2 ^ n))%R with (u * (IZR t * IZR (2 ^ n) - IZR
      t))%R by (field; lra).
    replace (IZR c * u * IZR (2 ^ n))%R with (u * (IZR c * IZR (2 ^ n)))%R by ring;
      apply Rmult_lt_compat_l; lra.
  - apply Rmult_le_compat_r; lra.
Qed.

(** RS-NUM-12: a product lacks less than 2^-126 of itself *)
Theorem times_lacks x y : normal x -> normal y -> normal (times x y) /\ lacks 126 (value (times x
  y)) (value x * value y).
Proof.
  intros NX NY; unfold times; destruct (Z.eqb_spec (mantissa x) 0) as [E|E]; cbn [orb].
  { split; [left; reflexivity|right]; rewrite (value_0 x E); unfold value; cbn; ring. }
  destruct (Z.eqb_spec (mantissa y) 0) as [F|F]; cbn [orb].
  { split; [left; reflexivity|right]; rewrite (value_0 y F); unfold value; cbn; ring. }
  destruct NX as [|NX]; [contradiction|]; destruct NY as [|NY]; [contradiction|].
  rewrite high_product_exact by (unfold word; lia); set (P := mantissa x * mantissa y).
  assert (2 ^ 254 <= P < 2 ^ 256) as PP.
  { unfold P; split; [change (2 ^ 254) with (2 ^ 127 * 2 ^ 127);
    apply Z.mul_le_mono_nonneg|change (2 ^ 256) with (2 ^ 128 * 2 ^ 128);
      apply Z.mul_lt_mono_nonneg]; lia. }
  pose proof (Z.div_mod P (2 ^ 128) ltac:(lia)) as D; pose proof (Z.mod_pos_bound P (2 ^ 128)
    ltac:(lia)) as M;
    set (h := P / 2 ^ 128) in *.
  assert (shl h (if shr h 127 =? 0 then 1 else 0) = h * 2 ^ (if shr h 127 =? 0 then 1 else 0) /\ 2
    ^ 127 <= h * 2 ^ (if shr h
    127 =? 0 then 1 else 0) < 2 ^ 128) as [S R].
  { pose proof (shr_0 h 127 ltac:(lia) ltac:(lia)); destruct (Z.eqb_spec (shr h 127) 0);
    unfold shl; rewrite wrap_small;
    unfold word; lia. }
  set (k := if shr h 127 =? 0 then 1 else 0) in *; assert (0 <= k <= 1) as K by (unfold k;
    destruct (shr h 127 =? 0); lia).
  rewrite S; split; [right; exact R|]; unfold value; cbn [mantissa power].
  replace (power x + power y + 128 - k) with (- k + (128 + (power x + power y))) by ring;
    rewrite unit_plus, unit_neg by lia.
  rewrite mult_IZR, (unit_plus 128), (unit_whole 128), unit_plus by lia;
    pose proof (IZR_lt _ _ (pow_pos k ltac:(lia))) as PK.
  replace (IZR h * IZR (2 ^ k) * (/ IZR (2 ^ k) * (IZR (2 ^ 128) * (unit_of (power x) * unit_of
    (power y)))))%R
    with (IZR (h * 2 ^ 128) * (unit_of (power x) * unit_of (power y)))%R by (rewrite mult_IZR;
      field; lra).
  replace (IZR (mantissa x) * unit_of (power x) * (IZR (mantissa y) * unit_of (power y)))%R
    with (IZR P * (unit_of (power x) * unit_of (power y)))%R by (unfold P; rewrite mult_IZR; ring).
  apply lacks_of; [lia|apply Rmult_lt_0_compat; apply unit_pos|lia|lia].
Qed.
Lemma not_lacks c t n : 0 <= n -> c < t -> t <= (t - c) * 2 ^ n -> ~ lacks n (IZR c) (IZR t).
Proof.
  intros N L H; pose proof (IZR_lt _ _ (pow_pos n N)) as P; apply IZR_le in H;
    rewrite mult_IZR, minus_IZR in H;
    apply IZR_lt in L.
  intros [[A _]|A]; [|lra]; apply (Rmult_lt_compat_r _ _ _ P) in A.
  replace (IZR t * (1 - / IZR (2 ^ n)) * IZR (2 ^ n))%R with (IZR t * IZR (2 ^ n) - IZR t)%R in A
    by (field; lra); lra.
Qed.
Theorem times_must_fail : ~ (forall x y, normal x -> normal y -> lacks 127 (value (times x y))
  (value x * value y)).
Proof.
  intros F; pose (x := Float (2 ^ 127 + 2 ^ 63) 0); pose (y := Float (2 ^ 127 + 2 ^ 64 - 1) 0).
  specialize (F x y ltac:(right; cbn; lia) ltac:(right; cbn; lia)).
  assert (power (times x y) = 127) as P by (vm_compute; reflexivity).
  unfold value in F; rewrite P, (unit_whole 127) in F by lia;
    change (unit_of (power x)) with 1%R in F;
    change (unit_of (power y)) with 1%R in F.
  rewrite !Rmult_1_r, <- !mult_IZR in F; revert F; apply not_lacks; vm_compute; congruence.
Qed.

(** The operands of a sum, the one of the greater exponent first *)
Lemma plus_ordered x y : normal x -> normal y -> (mantissa y = 0 \/ power y <= power x) ->
  let r := (let shift := power x - power y in
    if (mantissa y =? 0) || (127 <? shift) then x
    else let sum := add (mantissa x) (shr (mantissa y) shift) in
      if mantissa x <=? sum then Float sum (power x) else Float (Z.lor (shr sum 1) (shl 1 127))
        (power x + 1)) in
  (mantissa x = 0 -> mantissa y = 0) -> normal r /\ lacks 127 (value r) (value x + value y).
Proof.
  intros NX NY O r Z0; unfold r; clear r; destruct (Z.eqb_spec (mantissa y) 0) as [E|E]; cbn [orb].
  { split; [exact NX|right]; rewrite (value_0 y E); ring. }
  destruct O as [|O]; [contradiction|]; destruct NY as [|NY]; [contradiction|];
    destruct NX as [X|NX]; [apply Z0 in X;
    contradiction|].
  set (s := power x - power y) in *; assert (0 <= s) as S by (unfold s; lia).
  assert (value y = IZR (mantissa y) * / IZR (2 ^ s) * unit_of (power x))%R as VY.
  { unfold value; replace (power y) with (- s + power x) by (unfold s; ring);
    rewrite unit_plus, unit_neg by lia; ring. }
  pose proof (pow_pos s S) as PS; pose proof (IZR_lt _ _ PS) as RS;
    pose proof (unit_pos (power x)) as U.
  assert (value x + value y = IZR (mantissa x * 2 ^ s + mantissa y) * (/ IZR (2 ^ s) * unit_of
    (power x)))%R as T.
  { rewrite VY; unfold value; rewrite plus_IZR, mult_IZR; field; lra. }
  assert (0 < / IZR (2 ^ s) * unit_of (power x))%R as V by (apply Rmult_lt_0_compat;
    [apply Rinv_0_lt_compat;
    assumption|assumption]).
  assert (forall c e : Z, (0 <= e)%Z -> IZR (c * 2 ^ s * 2 ^ e) * (/ IZR (2 ^ s) * unit_of (power
    x)) = IZR c * unit_of (power
    x + e))%R as C.
  { intros c e G; rewrite unit_plus, (unit_whole e), !mult_IZR by lia; field; lra. }
  destruct (Z.ltb_spec 127 s) as [L|L].
  { split; [right; exact NX|]; rewrite T; replace (value x) with (IZR (mantissa x * 2 ^ s * 2 ^ 0)
    * (/ IZR (2 ^ s) * unit_of
    (power x)))%R by (rewrite C, Z.add_0_r by lia; reflexivity).
    apply lacks_of; [lia|exact V|lia|]; pose proof (pow_le 128 s ltac:(lia));
      assert (2 ^ 127 * 2 ^ s <= mantissa x * 2 ^ s) by (apply Z.mul_le_mono_nonneg_r; lia); nia. }
  destruct (shr_spec (mantissa y) s S) as (d & D & D'); pose proof (shr_nonneg (mantissa y) s S
    ltac:(lia)) as Q;
    pose proof (shr_le (mantissa y) s S ltac:(lia)) as Q'.
  set (q := shr (mantissa y) s) in *; rewrite T; unfold add; destruct (Z.lt_ge_cases (mantissa x +
    q) (2 ^ 128)) as [W|W].
  - rewrite wrap_small by (unfold word; lia); destruct (Z.leb_spec (mantissa x) (mantissa x + q));
    [|lia].
    split; [right; cbn; lia|]; unfold value; cbn [mantissa power].
    replace (IZR (mantissa x + q) * unit_of (power x))%R with (IZR ((mantissa x + q) * 2 ^ s * 2 ^
      0) * (/ IZR (2 ^ s) *
      unit_of (power x)))%R by (rewrite C, Z.add_0_r by lia; reflexivity).
    apply lacks_of; [lia|exact V|lia|]; assert (2 ^ 127 * 2 ^ s <= mantissa x * 2 ^ s) by (apply
      Z.mul_le_mono_nonneg_r; lia);
      lia.
  - assert (wrap (mantissa x + q) = mantissa x + q - 2 ^ 128) as -> by (unfold wrap; symmetry;
    apply Z.mod_unique with 1; lia).
    destruct (Z.leb_spec (mantissa x) (mantissa x + q - 2 ^ 128)); [lia|].
    destruct (shr_spec (mantissa x + q - 2 ^ 128) 1 ltac:(lia)) as (b & B & B');
      set (g := shr (mantissa x + q - 2 ^ 128) 1) in *.
    assert (Z.lor g (shl 1 127) = g + 2 ^ 127) as -> by (rewrite Z.lor_comm;
      change (shl 1 127) with (1 * 2 ^ 127);
      rewrite lor_add by lia; ring).
    split; [right; cbn; lia|]; unfold value; cbn [mantissa power];
      rewrite <- (C (g + 2 ^ 127) 1) by lia.
    apply lacks_of; [lia|exact V|lia|].
    assert (2 ^ 128 * 2 ^ s <= (mantissa x + q) * 2 ^ s) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (b * 2 ^ s <= 1 * 2 ^ s) by (apply Z.mul_le_mono_nonneg_r; lia).
    replace ((g + 2 ^ 127) * 2 ^ s * 2 ^ 1) with ((mantissa x + q) * 2 ^ s - b * 2 ^ s) by (replace
      (mantissa x + q) with (g *
      2 ^ 1 + b + 2 ^ 128) by lia; ring).
    lia.
Qed.
(** RS-NUM-12: a sum lacks less than 2^-127 of itself; the 2^-126 of the spec is generous. *)
Theorem plus_lacks x y : normal x -> normal y -> normal (plus x y) /\ lacks 127 (value (plus x y))
  (value x + value y).
Proof.
  intros NX NY; unfold plus; destruct (_ || _) eqn:S.
  - rewrite Rplus_comm; apply plus_ordered; try assumption; destruct (Z.eqb_spec (mantissa x) 0);
    cbn [orb] in S; [left;
    assumption| | intros; assumption|].
    + right; destruct (Z.eqb_spec (mantissa y) 0); [discriminate|]; apply Z.ltb_lt in S; lia.
    + intros E; rewrite E in S; discriminate.
  - apply orb_false_elim in S; destruct S as [S1 S2]; apply Z.eqb_neq in S1; apply plus_ordered;
    try assumption; [|intros;
    contradiction].
    destruct (Z.eqb_spec (mantissa y) 0); [left; assumption|right]; cbn [negb andb] in S2;
      apply Z.ltb_ge in S2; exact S2.
Qed.
Theorem plus_must_fail : ~ (forall x y, normal x -> normal y -> lacks 128 (value (plus x y)) (value
  x + value y)).
Proof.
  intros F; pose (x := Float (2 ^ 127) 127); pose (y := Float (2 ^ 128 - 1) 0).
  specialize (F x y ltac:(right; cbn; lia) ltac:(right; cbn; lia));
    assert (power (plus x y) = 127) as P by (vm_compute;
    reflexivity).
  unfold value in F; rewrite P in F; change (power x) with 127 in F;
    change (unit_of (power y)) with 1%R in F;
    rewrite (unit_whole 127) in F by lia.
  rewrite !Rmult_1_r, <- !mult_IZR, <- plus_IZR in F; revert F; apply not_lacks; vm_compute;
    congruence.
Qed.

Lemma float_of_exact x e : word x -> normal (float_of x e) /\ value (float_of x e) = (IZR x *
  unit_of e)%R.
Proof.
  intros [X X']; unfold float_of; destruct (Z.eqb_spec x 0) as [->|N]; [split; [left;
    reflexivity|unfold value; cbn; ring]|].
  destruct (bits_spec x ltac:(lia)) as (B1 & B2 & B3); pose proof (bits_le x 128 ltac:(lia)
    ltac:(lia)) as B4;
    set (s := 128 - bits x).
  assert (2 ^ 127 <= x * 2 ^ s < 2 ^ 128) as R.
  { pose proof (pow_pos s ltac:(unfold s; lia)).
    replace (2 ^ 127) with (2 ^ (bits x - 1) * 2 ^ s) by (rewrite <- Z.pow_add_r by (unfold s;
      lia); f_equal; unfold s; lia).
    replace (2 ^ 128) with (2 ^ bits x * 2 ^ s) by (rewrite <- Z.pow_add_r by (unfold s; lia);
      f_equal; unfold s; lia).
    split; [apply Z.mul_le_mono_nonneg_r|apply Z.mul_lt_mono_pos_r]; lia. }
  unfold shl; rewrite wrap_small by (unfold word; lia); split; [right; exact R|]; unfold value;
    cbn [mantissa power].
  replace (e - s) with (- s + e) by ring; rewrite unit_plus, unit_neg, mult_IZR by (unfold s; lia).
  pose proof (IZR_lt _ _ (pow_pos s ltac:(unfold s; lia))); field; lra.
Qed.

(** RS-NUM-12: a difference exceeds the true one by less than 2^-127 of x *)
Theorem minus_exceeds x y : normal x -> normal y -> (value y <= value x)%R ->
  normal (minus x y) /\ (value x - value y <= value (minus x y) <= value x - value y + / IZR (2 ^
    127) * value x)%R.
Proof.
  intros NX NY LE; unfold minus; pose proof (value_nonneg x NX) as VX;
    pose proof (IZR_lt 0 (2 ^ 127) ltac:(lia)) as P127.
  assert (0 <= / IZR (2 ^ 127) * value x)%R as NN by (apply Rmult_le_pos;
    [apply Rlt_le, Rinv_0_lt_compat; lra|lra]).
  destruct (Z.eqb_spec (mantissa y) 0) as [E|E]; cbn [orb]; [split;
    [exact NX|rewrite (value_0 y E); lra]|].
  destruct NY as [|NY]; [contradiction|]; pose proof (unit_pos (power x)) as U;
    pose proof (unit_pos (power y)) as UY.
  destruct NX as [X|NX].
  { rewrite (value_0 x X) in LE; exfalso; unfold value in LE;
    pose proof (IZR_lt 0 (mantissa y) ltac:(lia)) as PY;
    pose proof (Rmult_lt_0_compat _ _ PY UY); lra. }
  assert (power y <= power x) as S.
  { destruct (Z.le_gt_cases (power y) (power x)) as [|G]; [assumption|exfalso]; unfold value in LE.
    replace (power y) with (power y - power x + power x) in LE by ring;
      rewrite unit_plus, unit_whole, <- Rmult_assoc, <- mult_IZR in LE by lia.
    apply Rmult_le_reg_r in LE; [|assumption]; apply le_IZR in LE;
      pose proof (pow_le 1 (power y - power x) ltac:(lia)); nia. }
  set (s := power x - power y) in *; assert (0 <= s) as S0 by (unfold s; lia);
    pose proof (pow_pos s S0) as PS;
    pose proof (IZR_lt _ _ PS) as RS.
  assert (value y = IZR (mantissa y) * / IZR (2 ^ s) * unit_of (power x))%R as VY.
  { unfold value; replace (power y) with (- s + power x) by (unfold s; ring);
    rewrite unit_plus, unit_neg by lia; ring. }
  assert (unit_of (power x) <= / IZR (2 ^ 127) * value x)%R as ONE.
  { unfold value; rewrite <- Rmult_assoc; rewrite <- (Rmult_1_l (unit_of (power x))) at 1;
    apply Rmult_le_compat_r; [lra|].
    apply (Rmult_le_reg_l (IZR (2 ^ 127))); [assumption|]; rewrite <- Rmult_assoc, Rinv_r,
      Rmult_1_l, Rmult_1_r by lra;
      apply IZR_le; lia. }
  destruct (Z.ltb_spec 127 s) as [L|L].
  { split; [right; exact NX|]; split; [assert (0 <= value y)%R by (apply value_nonneg; right;
    exact NY); lra|].
    assert (value y <= unit_of (power x))%R; [|lra]; rewrite VY;
      rewrite <- (Rmult_1_l (unit_of (power x))) at 2;
      apply Rmult_le_compat_r; [lra|].
    apply (Rmult_le_reg_r (IZR (2 ^ s))); [assumption|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_l,
      Rmult_1_r by lra; apply IZR_le.
    pose proof (pow_le 128 s ltac:(lia)); lia. }
  destruct (shr_spec (mantissa y) s S0) as (d & D & D'); pose proof (shr_nonneg (mantissa y) s S0
    ltac:(lia)) as Q;
    set (q := shr (mantissa y) s) in *.
  assert (q <= mantissa x) as QX.
  { unfold value at 2 in LE; rewrite VY in LE; apply Rmult_le_reg_r in LE; [|assumption].
    assert (IZR (mantissa y) <= IZR (mantissa x * 2 ^ s))%R as LL by (rewrite mult_IZR;
      apply (Rmult_le_reg_r (/ IZR (2 ^ s)));
      [apply Rinv_0_lt_compat; assumption|];
      replace (IZR (mantissa x) * IZR (2 ^ s) * / IZR (2 ^ s))%R with (IZR (mantissa x)) by (field;
        lra); exact LE).
    apply le_IZR in LL; nia. }
  unfold sub; rewrite wrap_small by (unfold word; lia).
  destruct (float_of_exact (mantissa x - q) (power x) ltac:(unfold word; lia)) as [F V]; split;
    [exact F|];
    rewrite V, minus_IZR.
  assert (IZR (mantissa y) * / IZR (2 ^ s) = IZR q + IZR d * / IZR (2 ^ s))%R as YQ by (rewrite D,
    plus_IZR, mult_IZR; field;
    lra).
  assert (0 <= IZR d * / IZR (2 ^ s) <= 1)%R as DD.
  { split; [apply Rmult_le_pos; [apply IZR_le; lia|apply Rlt_le, Rinv_0_lt_compat; assumption]|].
    apply (Rmult_le_reg_r (IZR (2 ^ s))); [assumption|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_l,
      Rmult_1_r by lra;
      apply IZR_le; lia. }
  rewrite VY, YQ; unfold value in *; set (f := (IZR d * / IZR (2 ^ s))%R) in *; clearbody f.
  assert (0 <= f * unit_of (power x) <= unit_of (power x))%R by (split; [apply Rmult_le_pos;
    lra|rewrite <- (Rmult_1_l (unit_of (power x))) at 2; apply Rmult_le_compat_r; lra]); lra.
Qed.
Theorem minus_must_fail : ~ (forall x y, normal x -> normal y -> (value y <= value x)%R ->
  (value (minus x y) <= value x - value y + / IZR (2 ^ 128) * value x)%R).
Proof.
  intros F; pose (x := Float (2 ^ 127) 127); pose (y := Float (2 ^ 128 - 1) 0).
  specialize (F x y ltac:(right; cbn; lia) ltac:(right; cbn; lia)).
  assert (power (minus x y) = 126 /\ mantissa (minus x y) = 2 ^ 128 - 2) as [P M] by (split;
    vm_compute; reflexivity).
  unfold value in F; rewrite P, M in F; change (power x) with 127 in F;
    change (unit_of (power y)) with 1%R in F;
    rewrite (unit_whole 127), (unit_whole 126) in F by lia.
  change (mantissa x) with (2 ^ 127) in F; change (mantissa y) with (2 ^ 128 - 1) in F;
    rewrite Rmult_1_r, <- !mult_IZR in F.
  specialize (F ltac:(apply IZR_le; lia)); pose proof (IZR_lt 0 (2 ^ 128) ltac:(lia)) as P128;
    apply (Rmult_le_compat_l (IZR (2 ^ 128))) in F; [|lra].
  rewrite Rmult_plus_distr_l, <- Rmult_assoc, Rinv_r, Rmult_1_l in F by lra;
    rewrite <- minus_IZR, <- !mult_IZR, <- plus_IZR in F.
  apply le_IZR in F; vm_compute in F; apply F; reflexivity.
Qed.

(** RS-NUM-66: a number that is known but for so many times 2^-126 of what is computed. The 4 that C
    adds is generous: 0 does. *)
Theorem number_within_holds more x error t : 0 <= more <= 4 -> normal x -> 0 <= error < 2 ^ 120 ->
  (Rabs (t - value x) <= IZR error * / IZR (2 ^ 126) * value x)%R -> holds (number_within_by more x
    error) t.
Proof.
  intros K [E|N] R H; unfold number_within_by.
  { rewrite E; cbn [Z.eqb]; rewrite (value_0 x E), Rmult_0_r in H; apply Rabs_le_inv in H;
    unfold holds; cbn; lra. }
  destruct (Z.eqb_spec (mantissa x) 0); [lia|]; unfold mul, add, sub;
    rewrite (wrap_small (4 * error)) by (unfold word; lia).
  rewrite (wrap_small (4 * error + more)) by (unfold word; lia); set (off := 4 * error + more).
  assert (off = 4 * error + more) as O by reflexivity; clearbody off.
  rewrite !wrap_small by (unfold word; lia); unfold holds; cbn [low slack exponent].
  replace (mantissa x - off + 2 * off) with (mantissa x + off) by ring; rewrite plus_IZR, minus_IZR.
  unfold value in H; set (m := IZR (mantissa x)) in *; pose proof (unit_pos (power x)) as U;
    set (u := unit_of (power x)) in *.
  assert (m <= IZR (2 ^ 128))%R as M by (apply IZR_le; lia); assert (0 <= IZR error)%R as ER by
    (apply IZR_le; lia).
  assert (IZR error * / IZR (2 ^ 126) * m <= 4 * IZR error)%R as B.
  { replace (4 * IZR error)%R with (IZR error * / IZR (2 ^ 126) * IZR (2 ^ 128))%R by (change (IZR
    (2 ^ 128)) with (4 * IZR (2
    ^ 126))%R || (replace (IZR (2 ^ 128)) with (4 * IZR (2 ^ 126))%R by (rewrite <- mult_IZR;
      f_equal)); field; apply IZR_neq;
    lia).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat,
      IZR_lt; lia]|exact M]. }
  assert (4 * IZR error <= IZR off)%R as OR by (rewrite <- mult_IZR; apply IZR_le; lia).
  rewrite <- Rmult_assoc in H; apply Rabs_le_inv in H; assert (IZR error * / IZR (2 ^ 126) * m * u
    <= IZR off * u)%R by (apply
    Rmult_le_compat_r; lra); lra.
Qed.
Theorem within_must_fail : ~ (forall x error t, normal x -> 0 <= error < 2 ^ 120 ->
  (Rabs (t - value x) <= IZR error * / IZR (2 ^ 126) * value x)%R -> holds (less (number_within_by
    0 x error)) t).
Proof.
  intros F; pose (x := Float (2 ^ 128 - 1) 0); pose (t := (IZR (2 ^ 128 - 1) * (1 + / IZR (2 ^
    126)))%R).
  assert (0 < / IZR (2 ^ 126))%R as P by (apply Rinv_0_lt_compat, IZR_lt; lia).
  assert (value x = IZR (2 ^ 128 - 1)) as V by (unfold value; cbn; ring);
    pose proof (IZR_lt 0 (2 ^ 128 - 1) ltac:(lia)) as Q.
  assert (0 <= / IZR (2 ^ 126) * IZR (2 ^ 128 - 1))%R as PQ by (apply Rmult_le_pos; lra).
  specialize (F x 1 t ltac:(right; cbn; lia) ltac:(lia)); rewrite V in F.
  replace (t - IZR (2 ^ 128 - 1))%R with (/ IZR (2 ^ 126) * IZR (2 ^ 128 - 1))%R in F by (unfold t;
    ring).
  rewrite Rabs_pos_eq, Rmult_1_l in F by assumption; specialize (F ltac:(lra));
    destruct F as [_ F]; unfold t in F.
  change (unit_of (exponent (less (number_within_by 0 x 1)))) with 1%R in F; rewrite Rmult_1_r in F.
  assert (low (less (number_within_by 0 x 1)) + slack (less (number_within_by 0 x 1)) = 2 ^ 128 - 1
    + 3) as E by (vm_compute;
    reflexivity).
  rewrite E, plus_IZR, Rmult_plus_distr_l, Rmult_1_r, Rmult_comm in F;
    assert (3 * IZR (2 ^ 126) < IZR (2 ^ 128 - 1))%R as L by (rewrite <- mult_IZR; apply IZR_lt;
      lia).
  assert (3 < / IZR (2 ^ 126) * IZR (2 ^ 128 - 1))%R; [|lra].
  apply (Rmult_lt_reg_l (IZR (2 ^ 126))); [apply IZR_lt; lia|];
    rewrite <- Rmult_assoc, Rinv_r by (apply IZR_neq; lia); lra.
Qed.
