; Made of sha256.c by `python -m native`; SHA-256 of that file and what it includes:
; 0b9acf1a5a08c6be493927549de3781a9d3dcb40fa6d7e1a63b771a93ddaa982

%union.blocks = type { [16 x <8 x i32>] }
%union.anon = type { <8 x i32> }

@FIRST = internal constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 16
@ROUND = internal constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 16

define void @hash_texts(ptr %0) {
  %2 = alloca [8 x <8 x i32>], align 32
  %3 = alloca [8 x <8 x i32>], align 32
  %4 = alloca [8 x ptr], align 16
  %5 = alloca [8 x i64], align 16
  %6 = alloca [8 x <8 x i32>], align 32
  %7 = alloca [8 x [32 x i8]], align 16
  %8 = getelementptr inbounds i8, ptr %0, i64 24
  %9 = load ptr, ptr %8, align 8
  call fastcc void @begin(ptr %2, ptr %9)
  %10 = icmp eq ptr %9, null
  br i1 %10, label %13, label %11

11:                                               ; preds = %1
  %12 = getelementptr inbounds i8, ptr %9, i64 64
  call fastcc void @begin(ptr %3, ptr %12)
  br label %13

13:                                               ; preds = %11, %1
  %14 = phi i64 [ 64, %11 ], [ 0, %1 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 16
  %16 = load i64, ptr %15, align 8
  %17 = icmp sgt i64 %16, 0
  br i1 %17, label %18, label %22

18:                                               ; preds = %13
  %19 = getelementptr inbounds i8, ptr %0, i64 8
  %20 = getelementptr inbounds i8, ptr %0, i64 40
  %21 = getelementptr inbounds i8, ptr %0, i64 32
  br label %23

22:                                               ; preds = %100, %13
  ret void

23:                                               ; preds = %18, %100
  %24 = phi i64 [ %16, %18 ], [ %101, %100 ]
  %25 = phi i64 [ 0, %18 ], [ %102, %100 ]
  %26 = sub i64 %24, %25
  %27 = call i64 @llvm.smin.i64(i64 %26, i64 8)
  %28 = trunc i64 %27 to i32
  %29 = load ptr, ptr %0, align 8
  %30 = load ptr, ptr %19, align 8
  %31 = getelementptr inbounds i64, ptr %30, i64 %25
  %32 = and i64 %27, 4294967295
  br label %34

33:                                               ; preds = %34
  br label %52

34:                                               ; preds = %23, %34
  %35 = phi i64 [ 0, %23 ], [ %47, %34 ]
  %36 = icmp ult i64 %35, %32
  %37 = and i64 %35, 4294967295
  %38 = select i1 %36, i64 %37, i64 0
  %39 = getelementptr inbounds i64, ptr %31, i64 %38
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds i8, ptr %29, i64 %40
  %42 = getelementptr inbounds ptr, ptr %4, i64 %35
  store ptr %41, ptr %42, align 8
  %43 = getelementptr inbounds i8, ptr %39, i64 8
  %44 = load i64, ptr %43, align 8
  %45 = sub i64 %44, %40
  %46 = getelementptr inbounds i64, ptr %5, i64 %35
  store i64 %45, ptr %46, align 8
  %47 = add i64 %35, 1
  %48 = icmp eq i64 %47, 8
  br i1 %48, label %33, label %34

49:                                               ; preds = %52
  call fastcc void @hash(ptr %6, ptr %4, ptr %5, i64 %14)
  %50 = load ptr, ptr %8, align 8
  %51 = icmp eq ptr %50, null
  br i1 %51, label %96, label %59

52:                                               ; preds = %33, %52
  %53 = phi i64 [ 0, %33 ], [ %57, %52 ]
  %54 = getelementptr inbounds <8 x i32>, ptr %2, i64 %53
  %55 = load <8 x i32>, ptr %54, align 32
  %56 = getelementptr inbounds <8 x i32>, ptr %6, i64 %53
  store <8 x i32> %55, ptr %56, align 32
  %57 = add i64 %53, 1
  %58 = icmp eq i64 %57, 8
  br i1 %58, label %49, label %52

59:                                               ; preds = %49
  br label %60

60:                                               ; preds = %59, %83
  %61 = phi i64 [ 0, %59 ], [ %86, %83 ]
  %62 = getelementptr inbounds [32 x i8], ptr %7, i64 %61
  %63 = getelementptr i32, ptr %6, i64 %61
  br label %64

64:                                               ; preds = %70, %60
  %65 = phi i64 [ 0, %60 ], [ %71, %70 ]
  %66 = getelementptr <8 x i32>, ptr %63, i64 %65
  %67 = load i32, ptr %66, align 4
  %68 = shl i64 %65, 2
  %69 = getelementptr inbounds i8, ptr %62, i64 %68
  br label %73

70:                                               ; preds = %73
  %71 = add i64 %65, 1
  %72 = icmp eq i64 %71, 8
  br i1 %72, label %83, label %64

73:                                               ; preds = %73, %64
  %74 = phi i64 [ 0, %64 ], [ %81, %73 ]
  %75 = trunc i64 %74 to i32
  %76 = shl i32 %75, 3
  %77 = sub i32 24, %76
  %78 = lshr i32 %67, %77
  %79 = trunc i32 %78 to i8
  %80 = getelementptr inbounds i8, ptr %69, i64 %74
  store i8 %79, ptr %80, align 1
  %81 = add i64 %74, 1
  %82 = icmp eq i64 %81, 4
  br i1 %82, label %70, label %73

83:                                               ; preds = %70
  %84 = getelementptr inbounds ptr, ptr %4, i64 %61
  store ptr %62, ptr %84, align 8
  %85 = getelementptr inbounds i64, ptr %5, i64 %61
  store i64 32, ptr %85, align 8
  %86 = add i64 %61, 1
  %87 = icmp eq i64 %86, 8
  br i1 %87, label %89, label %60

88:                                               ; preds = %89
  call fastcc void @hash(ptr %6, ptr %4, ptr %5, i64 %14)
  br label %96

89:                                               ; preds = %83, %89
  %90 = phi i64 [ %94, %89 ], [ 0, %83 ]
  %91 = getelementptr inbounds <8 x i32>, ptr %3, i64 %90
  %92 = load <8 x i32>, ptr %91, align 32
  %93 = getelementptr inbounds <8 x i32>, ptr %6, i64 %90
  store <8 x i32> %92, ptr %93, align 32
  %94 = add i64 %90, 1
  %95 = icmp eq i64 %94, 8
  br i1 %95, label %88, label %89

96:                                               ; preds = %88, %49
  %97 = icmp sgt i32 %28, 0
  br i1 %97, label %104, label %100

98:                                               ; preds = %170
  %99 = load i64, ptr %15, align 8
  br label %100

100:                                              ; preds = %98, %96
  %101 = phi i64 [ %99, %98 ], [ %24, %96 ]
  %102 = add i64 %25, 8
  %103 = icmp slt i64 %102, %101
  br i1 %103, label %23, label %22

104:                                              ; preds = %96, %170
  %105 = phi i64 [ %171, %170 ], [ 0, %96 ]
  %106 = load i64, ptr %20, align 8
  %107 = icmp eq i64 %106, 0
  %108 = load ptr, ptr %21, align 8
  %109 = add i64 %25, %105
  %110 = getelementptr i32, ptr %6, i64 %105
  br i1 %107, label %148, label %111

111:                                              ; preds = %104
  %112 = shl i64 %109, 6
  %113 = getelementptr inbounds i8, ptr %108, i64 %112
  br label %114

114:                                              ; preds = %136, %111
  %115 = phi i64 [ 0, %111 ], [ %137, %136 ]
  %116 = getelementptr <8 x i32>, ptr %110, i64 %115
  %117 = load i32, ptr %116, align 4
  %118 = zext i32 %117 to i64
  %119 = shl i64 %118, 16
  %120 = or i64 %119, %118
  %121 = and i64 %120, 281470681808895
  %122 = shl i64 %121, 8
  %123 = or i64 %122, %121
  %124 = and i64 %123, 71777214294589695
  %125 = shl i64 %124, 4
  %126 = or i64 %125, %124
  %127 = and i64 %126, 1085102592571150095
  %128 = add i64 %127, 434041037028460038
  %129 = lshr i64 %128, 4
  %130 = and i64 %129, 72340172838076673
  %131 = mul i64 %130, 39
  %132 = or i64 %127, 3472328296227680304
  %133 = add i64 %132, %131
  %134 = shl i64 %115, 3
  %135 = getelementptr inbounds i8, ptr %113, i64 %134
  br label %139

136:                                              ; preds = %139
  %137 = add i64 %115, 1
  %138 = icmp eq i64 %137, 8
  br i1 %138, label %170, label %114

139:                                              ; preds = %139, %114
  %140 = phi i64 [ 0, %114 ], [ %146, %139 ]
  %141 = shl i64 %140, 3
  %142 = sub i64 56, %141
  %143 = lshr i64 %133, %142
  %144 = trunc i64 %143 to i8
  %145 = getelementptr inbounds i8, ptr %135, i64 %140
  store i8 %144, ptr %145, align 1
  %146 = add i64 %140, 1
  %147 = icmp eq i64 %146, 8
  br i1 %147, label %136, label %139

148:                                              ; preds = %104
  %149 = shl i64 %109, 5
  %150 = getelementptr inbounds i8, ptr %108, i64 %149
  br label %151

151:                                              ; preds = %157, %148
  %152 = phi i64 [ 0, %148 ], [ %158, %157 ]
  %153 = getelementptr <8 x i32>, ptr %110, i64 %152
  %154 = load i32, ptr %153, align 4
  %155 = shl i64 %152, 2
  %156 = getelementptr inbounds i8, ptr %150, i64 %155
  br label %160

157:                                              ; preds = %160
  %158 = add i64 %152, 1
  %159 = icmp eq i64 %158, 8
  br i1 %159, label %170, label %151

160:                                              ; preds = %160, %151
  %161 = phi i64 [ 0, %151 ], [ %168, %160 ]
  %162 = trunc i64 %161 to i32
  %163 = shl i32 %162, 3
  %164 = sub i32 24, %163
  %165 = lshr i32 %154, %164
  %166 = trunc i32 %165 to i8
  %167 = getelementptr inbounds i8, ptr %156, i64 %161
  store i8 %166, ptr %167, align 1
  %168 = add i64 %161, 1
  %169 = icmp eq i64 %168, 4
  br i1 %169, label %157, label %160

170:                                              ; preds = %136, %157
  %171 = add i64 %105, 1
  %172 = icmp ult i64 %171, %32
  br i1 %172, label %104, label %98
}

define internal fastcc void @begin(ptr %0, ptr %1) {
  %3 = alloca [8 x <8 x i32>], align 32
  %4 = alloca %union.blocks, align 32
  br label %7

5:                                                ; preds = %7
  %6 = icmp eq ptr %1, null
  br i1 %6, label %155, label %16

7:                                                ; preds = %2, %7
  %8 = phi i64 [ 0, %2 ], [ %14, %7 ]
  %9 = getelementptr inbounds i32, ptr @FIRST, i64 %8
  %10 = load i32, ptr %9, align 4
  %11 = insertelement <8 x i32> poison, i32 %10, i64 0
  %12 = shufflevector <8 x i32> %11, <8 x i32> poison, <8 x i32> zeroinitializer
  %13 = getelementptr inbounds <8 x i32>, ptr %0, i64 %8
  store <8 x i32> %12, ptr %13, align 32
  %14 = add i64 %8, 1
  %15 = icmp eq i64 %14, 8
  br i1 %15, label %5, label %7

16:                                               ; preds = %5
  br label %125

17:                                               ; preds = %152
  %18 = load <8 x i32>, ptr %0, align 32
  %19 = getelementptr inbounds i8, ptr %0, i64 32
  %20 = load <8 x i32>, ptr %19, align 32
  %21 = getelementptr inbounds i8, ptr %0, i64 64
  %22 = load <8 x i32>, ptr %21, align 32
  %23 = getelementptr inbounds i8, ptr %0, i64 96
  %24 = load <8 x i32>, ptr %23, align 32
  %25 = getelementptr inbounds i8, ptr %0, i64 128
  %26 = load <8 x i32>, ptr %25, align 32
  %27 = getelementptr inbounds i8, ptr %0, i64 160
  %28 = load <8 x i32>, ptr %27, align 32
  %29 = getelementptr inbounds i8, ptr %0, i64 192
  %30 = load <8 x i32>, ptr %29, align 32
  %31 = getelementptr inbounds i8, ptr %0, i64 224
  %32 = load <8 x i32>, ptr %31, align 32
  br label %41

33:                                               ; preds = %84
  store <8 x i32> %113, ptr %3, align 32
  %34 = getelementptr inbounds i8, ptr %3, i64 32
  store <8 x i32> %43, ptr %34, align 32
  %35 = getelementptr inbounds i8, ptr %3, i64 64
  store <8 x i32> %44, ptr %35, align 32
  %36 = getelementptr inbounds i8, ptr %3, i64 96
  store <8 x i32> %45, ptr %36, align 32
  %37 = getelementptr inbounds i8, ptr %3, i64 128
  store <8 x i32> %112, ptr %37, align 32
  %38 = getelementptr inbounds i8, ptr %3, i64 160
  store <8 x i32> %50, ptr %38, align 32
  %39 = getelementptr inbounds i8, ptr %3, i64 192
  store <8 x i32> %49, ptr %39, align 32
  %40 = getelementptr inbounds i8, ptr %3, i64 224
  store <8 x i32> %48, ptr %40, align 32
  br label %115

41:                                               ; preds = %84, %17
  %42 = phi i64 [ 0, %17 ], [ %52, %84 ]
  %43 = phi <8 x i32> [ %18, %17 ], [ %113, %84 ]
  %44 = phi <8 x i32> [ %20, %17 ], [ %43, %84 ]
  %45 = phi <8 x i32> [ %22, %17 ], [ %44, %84 ]
  %46 = phi <8 x i32> [ %24, %17 ], [ %45, %84 ]
  %47 = phi <8 x i32> [ %32, %17 ], [ %48, %84 ]
  %48 = phi <8 x i32> [ %30, %17 ], [ %49, %84 ]
  %49 = phi <8 x i32> [ %28, %17 ], [ %50, %84 ]
  %50 = phi <8 x i32> [ %26, %17 ], [ %112, %84 ]
  %51 = icmp ugt i64 %42, 15
  %52 = add i64 %42, 1
  br i1 %51, label %56, label %53

53:                                               ; preds = %41
  %54 = getelementptr inbounds <8 x i32>, ptr %4, i64 %42
  %55 = load <8 x i32>, ptr %54, align 32
  br label %84

56:                                               ; preds = %41
  %57 = and i64 %52, 15
  %58 = getelementptr inbounds <8 x i32>, ptr %4, i64 %57
  %59 = load <8 x i32>, ptr %58, align 32
  %60 = add i64 %42, 14
  %61 = and i64 %60, 15
  %62 = getelementptr inbounds <8 x i32>, ptr %4, i64 %61
  %63 = load <8 x i32>, ptr %62, align 32
  %64 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %59, <8 x i32> %59, <8 x i32> splat (i32 25))
  %65 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %59, <8 x i32> %59, <8 x i32> splat (i32 14))
  %66 = xor <8 x i32> %64, %65
  %67 = lshr <8 x i32> %59, splat (i32 3)
  %68 = xor <8 x i32> %66, %67
  %69 = add i64 %42, 9
  %70 = and i64 %69, 15
  %71 = getelementptr inbounds <8 x i32>, ptr %4, i64 %70
  %72 = load <8 x i32>, ptr %71, align 32
  %73 = add <8 x i32> %68, %72
  %74 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %63, <8 x i32> %63, <8 x i32> splat (i32 15))
  %75 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %63, <8 x i32> %63, <8 x i32> splat (i32 13))
  %76 = xor <8 x i32> %74, %75
  %77 = lshr <8 x i32> %63, splat (i32 10)
  %78 = xor <8 x i32> %76, %77
  %79 = and i64 %42, 15
  %80 = getelementptr inbounds <8 x i32>, ptr %4, i64 %79
  %81 = load <8 x i32>, ptr %80, align 32
  %82 = add <8 x i32> %73, %81
  %83 = add <8 x i32> %82, %78
  store <8 x i32> %83, ptr %80, align 32
  br label %84

84:                                               ; preds = %53, %56
  %85 = phi <8 x i32> [ %83, %56 ], [ %55, %53 ]
  %86 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %50, <8 x i32> %50, <8 x i32> splat (i32 26))
  %87 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %50, <8 x i32> %50, <8 x i32> splat (i32 21))
  %88 = xor <8 x i32> %86, %87
  %89 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %50, <8 x i32> %50, <8 x i32> splat (i32 7))
  %90 = xor <8 x i32> %88, %89
  %91 = xor <8 x i32> %49, %48
  %92 = and <8 x i32> %91, %50
  %93 = xor <8 x i32> %92, %48
  %94 = getelementptr inbounds i32, ptr @ROUND, i64 %42
  %95 = load i32, ptr %94, align 4
  %96 = insertelement <8 x i32> poison, i32 %95, i64 0
  %97 = shufflevector <8 x i32> %96, <8 x i32> poison, <8 x i32> zeroinitializer
  %98 = add <8 x i32> %93, %47
  %99 = add <8 x i32> %98, %90
  %100 = add <8 x i32> %99, %85
  %101 = add <8 x i32> %100, %97
  %102 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %43, <8 x i32> %43, <8 x i32> splat (i32 30))
  %103 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %43, <8 x i32> %43, <8 x i32> splat (i32 19))
  %104 = xor <8 x i32> %102, %103
  %105 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %43, <8 x i32> %43, <8 x i32> splat (i32 10))
  %106 = xor <8 x i32> %104, %105
  %107 = and <8 x i32> %44, %43
  %108 = or <8 x i32> %44, %43
  %109 = and <8 x i32> %108, %45
  %110 = or <8 x i32> %109, %107
  %111 = add <8 x i32> %110, %106
  %112 = add <8 x i32> %101, %46
  %113 = add <8 x i32> %111, %101
  %114 = icmp eq i64 %52, 64
  br i1 %114, label %33, label %41

115:                                              ; preds = %115, %33
  %116 = phi i64 [ 0, %33 ], [ %122, %115 ]
  %117 = getelementptr inbounds <8 x i32>, ptr %3, i64 %116
  %118 = load <8 x i32>, ptr %117, align 32
  %119 = getelementptr inbounds <8 x i32>, ptr %0, i64 %116
  %120 = load <8 x i32>, ptr %119, align 32
  %121 = add <8 x i32> %120, %118
  store <8 x i32> %121, ptr %119, align 32
  %122 = add i64 %116, 1
  %123 = icmp eq i64 %122, 8
  br i1 %123, label %124, label %115

124:                                              ; preds = %115
  br label %155

125:                                              ; preds = %16, %152
  %126 = phi i64 [ 0, %16 ], [ %153, %152 ]
  %127 = getelementptr i32, ptr %4, i64 %126
  br label %128

128:                                              ; preds = %128, %125
  %129 = phi i64 [ 0, %125 ], [ %150, %128 ]
  %130 = shl i64 %129, 2
  %131 = getelementptr inbounds i8, ptr %1, i64 %130
  %132 = load i8, ptr %131, align 1
  %133 = zext i8 %132 to i32
  %134 = shl i32 %133, 24
  %135 = getelementptr inbounds i8, ptr %131, i64 1
  %136 = load i8, ptr %135, align 1
  %137 = zext i8 %136 to i32
  %138 = shl i32 %137, 16
  %139 = or i32 %138, %134
  %140 = getelementptr inbounds i8, ptr %131, i64 2
  %141 = load i8, ptr %140, align 1
  %142 = zext i8 %141 to i32
  %143 = shl i32 %142, 8
  %144 = or i32 %139, %143
  %145 = getelementptr inbounds i8, ptr %131, i64 3
  %146 = load i8, ptr %145, align 1
  %147 = zext i8 %146 to i32
  %148 = or i32 %144, %147
  %149 = getelementptr [8 x i32], ptr %127, i64 %129
  store i32 %148, ptr %149, align 4
  %150 = add i64 %129, 1
  %151 = icmp eq i64 %150, 16
  br i1 %151, label %152, label %128

152:                                              ; preds = %128
  %153 = add i64 %126, 1
  %154 = icmp eq i64 %153, 8
  br i1 %154, label %17, label %125

155:                                              ; preds = %5, %124
  ret void
}

define internal fastcc void @hash(ptr %0, ptr %1, ptr %2, i64 %3) {
  %5 = alloca [8 x <8 x i32>], align 32
  %6 = alloca %union.blocks, align 32
  %7 = alloca %union.anon, align 32
  br label %27

8:                                                ; preds = %27
  %9 = icmp sgt i64 %34, 0
  br i1 %9, label %10, label %37

10:                                               ; preds = %8
  %11 = getelementptr inbounds i8, ptr %6, i64 448
  %12 = getelementptr inbounds i8, ptr %6, i64 480
  %13 = getelementptr inbounds i8, ptr %0, i64 32
  %14 = getelementptr inbounds i8, ptr %0, i64 64
  %15 = getelementptr inbounds i8, ptr %0, i64 96
  %16 = getelementptr inbounds i8, ptr %0, i64 128
  %17 = getelementptr inbounds i8, ptr %0, i64 160
  %18 = getelementptr inbounds i8, ptr %0, i64 192
  %19 = getelementptr inbounds i8, ptr %0, i64 224
  %20 = getelementptr inbounds i8, ptr %5, i64 32
  %21 = getelementptr inbounds i8, ptr %5, i64 64
  %22 = getelementptr inbounds i8, ptr %5, i64 96
  %23 = getelementptr inbounds i8, ptr %5, i64 128
  %24 = getelementptr inbounds i8, ptr %5, i64 160
  %25 = getelementptr inbounds i8, ptr %5, i64 192
  %26 = getelementptr inbounds i8, ptr %5, i64 224
  br label %38

27:                                               ; preds = %4, %27
  %28 = phi i64 [ 0, %4 ], [ %35, %27 ]
  %29 = phi i64 [ 0, %4 ], [ %34, %27 ]
  %30 = getelementptr inbounds i64, ptr %2, i64 %28
  %31 = load i64, ptr %30, align 8
  %32 = add i64 %31, 72
  %33 = sdiv i64 %32, 64
  %34 = call i64 @llvm.smax.i64(i64 %33, i64 %29)
  %35 = add i64 %28, 1
  %36 = icmp eq i64 %35, 8
  br i1 %36, label %8, label %27

37:                                               ; preds = %137, %8
  ret void

38:                                               ; preds = %10, %137
  %39 = phi i64 [ -4, %10 ], [ %139, %137 ]
  %40 = phi i64 [ 0, %10 ], [ %138, %137 ]
  %41 = shl i64 %40, 6
  br label %141

42:                                               ; preds = %277
  %43 = load <8 x i32>, ptr %7, align 32
  %44 = load <8 x i32>, ptr %0, align 32
  %45 = load <8 x i32>, ptr %13, align 32
  %46 = load <8 x i32>, ptr %14, align 32
  %47 = load <8 x i32>, ptr %15, align 32
  %48 = load <8 x i32>, ptr %16, align 32
  %49 = load <8 x i32>, ptr %17, align 32
  %50 = load <8 x i32>, ptr %18, align 32
  %51 = load <8 x i32>, ptr %19, align 32
  br label %53

52:                                               ; preds = %96
  store <8 x i32> %125, ptr %5, align 32
  store <8 x i32> %55, ptr %20, align 32
  store <8 x i32> %56, ptr %21, align 32
  store <8 x i32> %57, ptr %22, align 32
  store <8 x i32> %124, ptr %23, align 32
  store <8 x i32> %62, ptr %24, align 32
  store <8 x i32> %61, ptr %25, align 32
  store <8 x i32> %60, ptr %26, align 32
  br label %127

53:                                               ; preds = %96, %42
  %54 = phi i64 [ 0, %42 ], [ %64, %96 ]
  %55 = phi <8 x i32> [ %44, %42 ], [ %125, %96 ]
  %56 = phi <8 x i32> [ %45, %42 ], [ %55, %96 ]
  %57 = phi <8 x i32> [ %46, %42 ], [ %56, %96 ]
  %58 = phi <8 x i32> [ %47, %42 ], [ %57, %96 ]
  %59 = phi <8 x i32> [ %51, %42 ], [ %60, %96 ]
  %60 = phi <8 x i32> [ %50, %42 ], [ %61, %96 ]
  %61 = phi <8 x i32> [ %49, %42 ], [ %62, %96 ]
  %62 = phi <8 x i32> [ %48, %42 ], [ %124, %96 ]
  %63 = icmp ugt i64 %54, 15
  %64 = add i64 %54, 1
  br i1 %63, label %68, label %65

65:                                               ; preds = %53
  %66 = getelementptr inbounds <8 x i32>, ptr %6, i64 %54
  %67 = load <8 x i32>, ptr %66, align 32
  br label %96

68:                                               ; preds = %53
  %69 = and i64 %64, 15
  %70 = getelementptr inbounds <8 x i32>, ptr %6, i64 %69
  %71 = load <8 x i32>, ptr %70, align 32
  %72 = add i64 %54, 14
  %73 = and i64 %72, 15
  %74 = getelementptr inbounds <8 x i32>, ptr %6, i64 %73
  %75 = load <8 x i32>, ptr %74, align 32
  %76 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %71, <8 x i32> %71, <8 x i32> splat (i32 25))
  %77 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %71, <8 x i32> %71, <8 x i32> splat (i32 14))
  %78 = xor <8 x i32> %76, %77
  %79 = lshr <8 x i32> %71, splat (i32 3)
  %80 = xor <8 x i32> %78, %79
  %81 = add i64 %54, 9
  %82 = and i64 %81, 15
  %83 = getelementptr inbounds <8 x i32>, ptr %6, i64 %82
  %84 = load <8 x i32>, ptr %83, align 32
  %85 = add <8 x i32> %80, %84
  %86 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %75, <8 x i32> %75, <8 x i32> splat (i32 15))
  %87 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %75, <8 x i32> %75, <8 x i32> splat (i32 13))
  %88 = xor <8 x i32> %86, %87
  %89 = lshr <8 x i32> %75, splat (i32 10)
  %90 = xor <8 x i32> %88, %89
  %91 = and i64 %54, 15
  %92 = getelementptr inbounds <8 x i32>, ptr %6, i64 %91
  %93 = load <8 x i32>, ptr %92, align 32
  %94 = add <8 x i32> %85, %93
  %95 = add <8 x i32> %94, %90
  store <8 x i32> %95, ptr %92, align 32
  br label %96

96:                                               ; preds = %65, %68
  %97 = phi <8 x i32> [ %95, %68 ], [ %67, %65 ]
  %98 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %62, <8 x i32> %62, <8 x i32> splat (i32 26))
  %99 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %62, <8 x i32> %62, <8 x i32> splat (i32 21))
  %100 = xor <8 x i32> %98, %99
  %101 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %62, <8 x i32> %62, <8 x i32> splat (i32 7))
  %102 = xor <8 x i32> %100, %101
  %103 = xor <8 x i32> %61, %60
  %104 = and <8 x i32> %103, %62
  %105 = xor <8 x i32> %104, %60
  %106 = getelementptr inbounds i32, ptr @ROUND, i64 %54
  %107 = load i32, ptr %106, align 4
  %108 = insertelement <8 x i32> poison, i32 %107, i64 0
  %109 = shufflevector <8 x i32> %108, <8 x i32> poison, <8 x i32> zeroinitializer
  %110 = add <8 x i32> %105, %59
  %111 = add <8 x i32> %110, %102
  %112 = add <8 x i32> %111, %97
  %113 = add <8 x i32> %112, %109
  %114 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %55, <8 x i32> %55, <8 x i32> splat (i32 30))
  %115 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %55, <8 x i32> %55, <8 x i32> splat (i32 19))
  %116 = xor <8 x i32> %114, %115
  %117 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %55, <8 x i32> %55, <8 x i32> splat (i32 10))
  %118 = xor <8 x i32> %116, %117
  %119 = and <8 x i32> %56, %55
  %120 = or <8 x i32> %56, %55
  %121 = and <8 x i32> %120, %57
  %122 = or <8 x i32> %121, %119
  %123 = add <8 x i32> %122, %118
  %124 = add <8 x i32> %113, %58
  %125 = add <8 x i32> %123, %113
  %126 = icmp eq i64 %64, 64
  br i1 %126, label %52, label %53

127:                                              ; preds = %127, %52
  %128 = phi i64 [ 0, %52 ], [ %135, %127 ]
  %129 = getelementptr inbounds <8 x i32>, ptr %5, i64 %128
  %130 = load <8 x i32>, ptr %129, align 32
  %131 = and <8 x i32> %130, %43
  %132 = getelementptr inbounds <8 x i32>, ptr %0, i64 %128
  %133 = load <8 x i32>, ptr %132, align 32
  %134 = add <8 x i32> %133, %131
  store <8 x i32> %134, ptr %132, align 32
  %135 = add i64 %128, 1
  %136 = icmp eq i64 %135, 8
  br i1 %136, label %137, label %127

137:                                              ; preds = %127
  %138 = add i64 %40, 1
  %139 = add i64 %39, -64
  %140 = icmp eq i64 %138, %34
  br i1 %140, label %37, label %38

141:                                              ; preds = %38, %277
  %142 = phi i64 [ 0, %38 ], [ %278, %277 ]
  %143 = getelementptr inbounds i64, ptr %2, i64 %142
  %144 = load i64, ptr %143, align 8
  %145 = add i64 %144, 72
  %146 = sdiv i64 %145, 64
  %147 = icmp slt i64 %40, %146
  %148 = sext i1 %147 to i32
  %149 = getelementptr inbounds i32, ptr %7, i64 %142
  store i32 %148, ptr %149, align 4
  br i1 %147, label %152, label %150

150:                                              ; preds = %141
  %151 = getelementptr inbounds i32, ptr %6, i64 %142
  br label %272

152:                                              ; preds = %141
  %153 = getelementptr inbounds ptr, ptr %1, i64 %142
  %154 = load ptr, ptr %153, align 8
  %155 = sub i64 %144, %41
  %156 = icmp sgt i64 %155, 63
  br i1 %156, label %164, label %157

157:                                              ; preds = %152
  %158 = icmp slt i64 %155, 4
  br i1 %158, label %216, label %159

159:                                              ; preds = %157
  %160 = getelementptr inbounds i8, ptr %154, i64 %41
  %161 = getelementptr i32, ptr %6, i64 %142
  %162 = add i64 %39, %144
  %163 = lshr i64 %162, 2
  br label %191

164:                                              ; preds = %152
  %165 = getelementptr inbounds i8, ptr %154, i64 %41
  %166 = getelementptr i32, ptr %6, i64 %142
  br label %167

167:                                              ; preds = %167, %164
  %168 = phi i64 [ 0, %164 ], [ %189, %167 ]
  %169 = shl i64 %168, 2
  %170 = getelementptr inbounds i8, ptr %165, i64 %169
  %171 = load i8, ptr %170, align 1
  %172 = zext i8 %171 to i32
  %173 = shl i32 %172, 24
  %174 = getelementptr inbounds i8, ptr %170, i64 1
  %175 = load i8, ptr %174, align 1
  %176 = zext i8 %175 to i32
  %177 = shl i32 %176, 16
  %178 = or i32 %177, %173
  %179 = getelementptr inbounds i8, ptr %170, i64 2
  %180 = load i8, ptr %179, align 1
  %181 = zext i8 %180 to i32
  %182 = shl i32 %181, 8
  %183 = or i32 %178, %182
  %184 = getelementptr inbounds i8, ptr %170, i64 3
  %185 = load i8, ptr %184, align 1
  %186 = zext i8 %185 to i32
  %187 = or i32 %183, %186
  %188 = getelementptr [8 x i32], ptr %166, i64 %168
  store i32 %187, ptr %188, align 4
  %189 = add i64 %168, 1
  %190 = icmp eq i64 %189, 16
  br i1 %190, label %277, label %167

191:                                              ; preds = %191, %159
  %192 = phi i64 [ 0, %159 ], [ %213, %191 ]
  %193 = phi i64 [ 0, %159 ], [ %214, %191 ]
  %194 = getelementptr inbounds i8, ptr %160, i64 %193
  %195 = load i8, ptr %194, align 1
  %196 = zext i8 %195 to i32
  %197 = shl i32 %196, 24
  %198 = getelementptr inbounds i8, ptr %194, i64 1
  %199 = load i8, ptr %198, align 1
  %200 = zext i8 %199 to i32
  %201 = shl i32 %200, 16
  %202 = or i32 %201, %197
  %203 = getelementptr inbounds i8, ptr %194, i64 2
  %204 = load i8, ptr %203, align 1
  %205 = zext i8 %204 to i32
  %206 = shl i32 %205, 8
  %207 = or i32 %202, %206
  %208 = getelementptr inbounds i8, ptr %194, i64 3
  %209 = load i8, ptr %208, align 1
  %210 = zext i8 %209 to i32
  %211 = or i32 %207, %210
  %212 = getelementptr [8 x i32], ptr %161, i64 %192
  store i32 %211, ptr %212, align 4
  %213 = add i64 %192, 1
  %214 = add i64 %193, 4
  %215 = icmp eq i64 %192, %163
  br i1 %215, label %218, label %191

216:                                              ; preds = %157
  %217 = icmp sgt i64 %155, -1
  br i1 %217, label %224, label %252

218:                                              ; preds = %191
  %219 = shl i64 %213, 2
  %220 = add i64 %219, 4
  %221 = trunc i64 %163 to i32
  %222 = add i32 %221, 1
  %223 = and i64 %219, 4294967292
  br label %224

224:                                              ; preds = %218, %216
  %225 = phi i32 [ %222, %218 ], [ 0, %216 ]
  %226 = phi i64 [ %223, %218 ], [ 0, %216 ]
  %227 = phi i64 [ %220, %218 ], [ 4, %216 ]
  %228 = getelementptr i8, ptr %154, i64 %41
  br label %229

229:                                              ; preds = %241, %224
  %230 = phi i64 [ %226, %224 ], [ %244, %241 ]
  %231 = phi i32 [ 0, %224 ], [ %243, %241 ]
  %232 = shl i32 %231, 8
  %233 = icmp slt i64 %230, %155
  br i1 %233, label %234, label %238

234:                                              ; preds = %229
  %235 = getelementptr i8, ptr %228, i64 %230
  %236 = load i8, ptr %235, align 1
  %237 = zext i8 %236 to i32
  br label %241

238:                                              ; preds = %229
  %239 = icmp eq i64 %230, %155
  %240 = select i1 %239, i32 128, i32 0
  br label %241

241:                                              ; preds = %238, %234
  %242 = phi i32 [ %237, %234 ], [ %240, %238 ]
  %243 = or i32 %242, %232
  %244 = add i64 %230, 1
  %245 = icmp eq i64 %244, %227
  br i1 %245, label %246, label %229

246:                                              ; preds = %241
  %247 = add i32 %225, 1
  %248 = zext i32 %225 to i64
  %249 = getelementptr inbounds [8 x i32], ptr %6, i64 %248
  %250 = getelementptr inbounds i32, ptr %249, i64 %142
  store i32 %243, ptr %250, align 4
  %251 = icmp slt i32 %225, 15
  br i1 %251, label %252, label %262

252:                                              ; preds = %246, %216
  %253 = phi i32 [ %247, %246 ], [ 0, %216 ]
  %254 = getelementptr i32, ptr %6, i64 %142
  %255 = sext i32 %253 to i64
  br label %256

256:                                              ; preds = %256, %252
  %257 = phi i64 [ %255, %252 ], [ %259, %256 ]
  %258 = getelementptr [8 x i32], ptr %254, i64 %257
  store i32 0, ptr %258, align 4
  %259 = add i64 %257, 1
  %260 = and i64 %259, 4294967295
  %261 = icmp eq i64 %260, 16
  br i1 %261, label %262, label %256

262:                                              ; preds = %256, %246
  %263 = icmp slt i64 %155, 56
  br i1 %263, label %264, label %277

264:                                              ; preds = %262
  %265 = add i64 %144, %3
  %266 = shl i64 %265, 3
  %267 = lshr i64 %266, 32
  %268 = trunc i64 %267 to i32
  %269 = getelementptr inbounds i32, ptr %11, i64 %142
  store i32 %268, ptr %269, align 4
  %270 = trunc i64 %266 to i32
  %271 = getelementptr inbounds i32, ptr %12, i64 %142
  store i32 %270, ptr %271, align 4
  br label %277

272:                                              ; preds = %150, %272
  %273 = phi i64 [ 0, %150 ], [ %275, %272 ]
  %274 = getelementptr inbounds [8 x i32], ptr %151, i64 %273
  store i32 0, ptr %274, align 4
  %275 = add i64 %273, 1
  %276 = icmp eq i64 %275, 16
  br i1 %276, label %277, label %272

277:                                              ; preds = %272, %167, %264, %262
  %278 = add i64 %142, 1
  %279 = icmp eq i64 %278, 8
  br i1 %279, label %42, label %141
}

declare <8 x i32> @llvm.fshl.v8i32(<8 x i32>, <8 x i32>, <8 x i32>)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
